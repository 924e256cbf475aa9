import fc from 'fast-check';
import { parse } from 'yaml';
import { YAML_CLOSING, yamlItem, yamlOpening } from './bundle-yaml.js';

const AWKWARD = [
  '\n',
  '\r',
  '\t',
  ' ',
  '#',
  '- ',
  ': ',
  '"',
  "'",
  '|',
  '>',
  '\u2028',
  '\u0085',
  '---',
  '...',
  '~',
];
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom(...AWKWARD, '0', '1e3', 'null', '\0', '&a', '*a', '!t', '? ', '{', 'a'), {
      maxLength: 12,
    })
    .map((parts) => parts.join('')),
);
const resource = fc
  .dictionary(text, fc.oneof(text, fc.jsonValue(), fc.array(text)), { maxKeys: 4 })
  .map((value) => JSON.parse(JSON.stringify(value)) as object);

describe('A file of a bundle', () => {
  it('is read back unchanged, with any texts and at any depth', () => {
    fc.assert(
      fc.property(resource, fc.constantFrom(2, 6, 42), (value, indent) => {
        const items = yamlItem(value, indent).repeat(2);
        const read = parse(yamlOpening('Webhook') + items + YAML_CLOSING, { maxAliasCount: 0 });
        const written = { ...value, exportHash: expect.stringMatching(/^[\da-f]{64}$/) };
        expect(read).toEqual({ resourceType: 'Webhook', resources: [written, written], version: 1 });
      }),
      { numRuns: 300 },
    );
  });

  it('has a hash that shows whether a resource is the same', () => {
    const [one, same, other] = [{ name: 'a' }, { name: 'a' }, { name: 'b' }].map((value) => yamlItem(value));
    expect(one).toBe(same);
    expect(one!.split('\n')[1]).not.toBe(other!.split('\n')[1]);
  });

  it('keeps multi-line text as separate lines', () => {
    expect(yamlItem({ text: 'one\n  two\n' })).toContain('- text: |\n      one\n        two\n');
  });
});
