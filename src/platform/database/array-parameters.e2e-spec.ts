import fc from 'fast-check';
import pg from 'pg';
import { databaseForWorker } from '../../../test/setup/databases.js';
import { withBinaryArrays } from './array-parameters.js';

let client: pg.Client;

beforeAll(async () => {
  client = new pg.Client(await databaseForWorker());
  await client.connect();
});

afterAll(() => client.end());

const textOf = (type: string): string => `SELECT $1::${type}[]::text AS shown, $1::${type}[] = $2 AS is_same`;

/** Returns what PostgreSQL receives of an array in binary form, and whether it is the same as in text form. */
async function received(
  type: string,
  values: readonly unknown[],
): Promise<{ shown: string; isSame: boolean }> {
  const text = textOf(type);
  const [sent] = withBinaryArrays(text, [values]);
  expect(sent).toBeInstanceOf(Buffer);
  const { rows } = await client.query<{ shown: string; is_same: boolean }>(text, [sent, values]);
  return { shown: rows[0]!.shown, isSame: rows[0]!.is_same };
}

const characters = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\0', ''));
const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  text: fc.oneof(characters, fc.json(), fc.constantFrom('', 'NULL', '"', '\\', '{}', ' a ')),
  boolean: fc.boolean(),
  smallint: fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 }),
  int: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  bigint: fc.maxSafeInteger(),
  timestamptz: fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }),
};

describe('Arrays in binary form', () => {
  it.each(Object.entries(VALUES))('are the same as in text form: %s', async (type, value) => {
    const arrays = fc.array(fc.option(value), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(arrays, async (values) => {
        expect((await received(type, values)).isSame).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['text', ['a"b', null, undefined, 'ü'], '{"a\\"b",NULL,NULL,ü}'],
    ['bigint', [2 ** 53 - 1, -(2 ** 53) + 1, -1, 0], '{9007199254740991,-9007199254740991,-1,0}'],
    ['smallint', [-(2 ** 15), 2 ** 15 - 1], '{-32768,32767}'],
    ['boolean', [true, false, null], '{t,f,NULL}'],
  ])('of %s arrive: %j', async (type, values, shown) => {
    expect(await received(type, values)).toEqual({ shown, isSame: true });
  });

  it.each([
    ['text', []],
    ['text', ['a', 1]],
    ['text', [['a']]],
    ['int', [1, '2']],
    ['int', [2 ** 31]],
    ['int', [1.5]],
    ['bigint', ['9223372036854775807']],
    ['bigint', [2 ** 53]],
    ['timestamptz', [new Date(0), '-infinity']],
    ['timestamptz', [new Date(NaN)]],
    ['jsonb', ['{}']],
  ])('are not used for other values: %s of %j', (type, values) => {
    expect(withBinaryArrays(textOf(type), [values])[0]).toBe(values);
  });

  it('are used for parameters that are cast to an array only', () => {
    const [one, ten, list, single] = withBinaryArrays('SELECT $1::text[], $2, $3::int[], $4::text', [
      ['a'],
      ['b'],
      [1],
      'c',
    ]);
    expect([one, ten, list, single].map((value) => value instanceof Buffer)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});
