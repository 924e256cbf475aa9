import { documentText } from '../../src/openapi/emit.js';
import { unfolded } from '../make/folding.js';
import { placesOf } from './hostile/bodies.js';
import { requiredQuery, targetsOf, type Target } from './hostile/operations.js';
import { Schemas, type Json } from './hostile/schemas.js';
import { inBatches } from '../setup/in-batches.js';
import { makeUser } from '../make/make.js';
import { Samples } from '../contract/samples.js';
import { onlyFamilies, timeouts, selected } from '../setup/selection.js';
import { BEHIND_PROXY, clientAddress } from '../make/sign-in.js';
import { suite } from '../setup/suite.js';

// Some characters become ASCII when lowercased or normalized, which would make two texts equal, such as the address,
// domain or slug of another user. Texts that identify something must not contain them; other texts may.

/** Fields that identify something, by name or format. */
const COMPARED = /(e?mails?|domains?|slug)$/i;
/** Fields with such a name that are never compared, with the reason. */
const WRITTEN_ONLY: Readonly<Record<string, string>> = {
  committerEmail: 'It is written into commits as it is.',
};
/** Texts that are stored in composed form (NFC), so that two spellings of a name refer to the same file. */
const COMPOSED: ReadonlySet<string> = new Set(['files.post body.name', 'privateFiles.post body.name']);
const DOMAIN = 'ski-risk.example';
const ADDRESS = `ski-risk@${DOMAIN}`;

const document = JSON.parse(await documentText());
const schemas = new Schemas(document);
const targets = selected(targetsOf(document));

const { test } = suite(BEHIND_PROXY);
let everyone: Samples;

beforeAll(async () => {
  everyone = new Samples(test, await makeUser(test));
});

/** A place in a body or query, with a function that puts a text there. */
interface Spot {
  target: Target;
  at: string;
  schema: Json;
  request: (text: string) => { query: string; body?: unknown };
}

const spots = targets.flatMap((target): Spot[] => [
  ...(target.body ? placesOf(target.body, schemas.sample(target.body), schemas) : []).map(
    ({ at, schema, put }) => ({
      target,
      at,
      schema,
      request: (text: string) => ({ query: requiredQuery(target.query, schemas), body: put(text) }),
    }),
  ),
  ...target.query.map(({ name, schema }) => ({
    target,
    at: `query.${name}`,
    schema,
    request: (text: string) => {
      const others = target.query.filter((parameter) => parameter.name !== name);
      return { query: `${requiredQuery(others, schemas)}&${name}=${encodeURIComponent(text)}` };
    },
  })),
]);

const nameOf = ({ at }: Spot): string =>
  at
    .replace(/\[\d+\]/g, '')
    .split('.')
    .at(-1)!;
const isText = ({ schema }: Spot): boolean => schema.type === 'string' && !schema.enum;
const isCompared = (spot: Spot): boolean =>
  isText(spot) &&
  (spot.schema.format === 'email' || COMPARED.test(nameOf(spot))) &&
  !(nameOf(spot) in WRITTEN_ONLY);

describe('An address, domain or slug with characters that fold into ASCII', () => {
  const compared = spots.filter(isCompared);

  it('is sent to operations of many families', () => {
    if (!onlyFamilies) expect(compared.length).toBeGreaterThan(10);
  });

  for (const spot of compared)
    it(`is refused: ${spot.target.id} ${spot.at}`, async () => {
      const { target, schema } = spot;
      const isValid = schemas.validator(schema);
      const plain = [ADDRESS, DOMAIN, DOMAIN.split('.')[0]!].find((text) => isValid(text))!;
      const text = schema.format === 'email' || /email$/i.test(nameOf(spot)) ? ADDRESS : plain;
      // Responses to callers without a token do not explain the error.
      const refusals = target.open ? [400, 401, 404] : [400];
      const faults = await inBatches(unfolded(text), async (odd) => {
        const { status } = await send(target, spot, odd);
        return refusals.includes(status) ? undefined : `${odd}: ${status}`;
      });
      expect(faults).toEqual([]);
    });
});

describe('A text that identifies nothing', () => {
  const written = targets
    .filter(({ method }) => method !== 'GET')
    .map((target) => ({
      target,
      texts: spots.filter(
        (spot) => spot.target === target && /^body\.\w+$/.test(spot.at) && isText(spot) && !isCompared(spot),
      ),
    }))
    .filter(({ texts }) => texts.length > 0);

  it(
    'is stored verbatim',
    async () => {
      const kept: string[] = [];
      const changed: string[] = [];
      for (const { target, texts } of written) {
        for (const spot of texts) {
          const text = `${unfolded('ski-risk').join(' ')}\u2126`;
          const { status, body } = await send(target, spot, text);
          const shown = body?.[nameOf(spot)];
          if (status >= 300 || typeof shown !== 'string') continue;
          const at = `${target.id} ${spot.at}`;
          (shown === (COMPOSED.has(at) ? text.normalize('NFC') : text) ? kept : changed).push(at);
        }
      }
      expect(changed).toEqual([]);
      if (targets.length > 100) expect(kept.length).toBeGreaterThan(20);
    },
    timeouts(spots),
  );
});

/** Sends the request of an operation on sample rows, with a text in one place. */
async function send(target: Target, spot: Spot, text: string): Promise<{ status: number; body: any }> {
  const { path } = await everyone.attemptOf(target);
  const { query, body } = spot.request(text);
  const at = `${path.split('?')[0]}${query ? `?${query}` : ''}`;
  const token = target.open ? undefined : everyone.user.token;
  return test.client.request(target.method, at, { body, token, headers: clientAddress() });
}
