import fc from 'fast-check';
import { mapTexts, PLACEHOLDER, Placeholders } from './placeholders.js';

const PUMP = '575ec8687ae143cd83dc4a97';
const TOKEN = 'V1StGXR8_Z5jdHi6B-myT';

function made(): Placeholders {
  const placeholders = new Placeholders();
  placeholders.addId(PUMP, 'device', 'Pump station 3');
  placeholders.addText(TOKEN, 'webhookToken', 'Orders');
  return placeholders;
}

describe('Placeholders', () => {
  it.each([
    [PUMP, '~exportplaceholderid-device-pumpStation3~'],
    [PUMP.toUpperCase(), '~exportplaceholderid-device-pumpStation3~'],
    [`{"$in":["${PUMP}"]}`, '{"$in":["~exportplaceholderid-device-pumpStation3~"]}'],
    [
      `x${PUMP}-${PUMP}`,
      'x~exportplaceholderid-device-pumpStation3~-~exportplaceholderid-device-pumpStation3~',
    ],
    [`/webhooks/${TOKEN}?a`, '/webhooks/~exportplaceholderid-webhookToken-orders~?a'],
    [
      `a-${TOKEN}${TOKEN}_`,
      'a-~exportplaceholderid-webhookToken-orders~~exportplaceholderid-webhookToken-orders~_',
    ],
  ])('replace the identifiers in %s', (text, expected) => {
    expect(made().replaceInText(text)).toBe(expected);
  });

  it.each([`a${PUMP}`, `${PUMP}0`, '575ec8687ae143cd83dc4a98', TOKEN.toLowerCase(), ''])(
    'leave %s unchanged',
    (text) => {
      expect(made().replaceInText(text)).toBe(text);
    },
  );

  it('are inserted into texts at any depth, including property names', () => {
    const placeholders = made();
    const replace = (text: string) => placeholders.replaceInText(text);
    const found = mapTexts({ a: [1, null, { [PUMP]: PUMP }], b: true }, replace);
    const placeholder = '~exportplaceholderid-device-pumpStation3~';
    expect(found).toEqual({ a: [1, null, { [placeholder]: placeholder }], b: true });
  });

  it('are inserted into a text of ten million word characters', () => {
    const word = 'a'.repeat(9_900_000);
    expect(made().replaceInText(word)).toBe(word);
    expect(made().replaceInText(word + TOKEN)).toBe(`${word}~exportplaceholderid-webhookToken-orders~`);
  });

  it('are unique and well-formed for arbitrary names', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (names) => {
        const placeholders = new Placeholders();
        const ids = names.map((_, i) => i.toString(16).padStart(24, '0'));
        names.forEach((name, i) => placeholders.addId(ids[i]!, 'device', name));
        const found = ids.map((id) => placeholders.replaceInText(id));
        expect(new Set(found).size).toBe(names.length);
        for (const placeholder of found) expect(placeholder.replace(PLACEHOLDER, '')).toBe('');
      }),
    );
  });
});
