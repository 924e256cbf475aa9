import fc from 'fast-check';
import pg from 'pg';
import { databaseForWorker } from '../../../test/setup/databases.js';
import { ValidationError } from '../errors/errors.js';
import { compileAdvancedQuery, type QueryFields } from './advanced-query.js';

const fields: QueryFields = {
  name: { kind: 'string', column: 't.name' },
  status: { kind: 'string', column: 't.status', values: ['active', 'inactive'] },
  owner: { kind: 'id', column: 't.owner' },
  created: { kind: 'date', column: 't.created' },
  enabled: { kind: 'boolean', column: 't.enabled' },
  size: { kind: 'number', column: 't.size' },
  topics: { kind: 'strings', column: 't.topics' },
  devices: { kind: 'ids', column: 't.devices' },
  tags: { kind: 'tags', column: 't.tags' },
};

interface Thing {
  name: string | null;
  status: string | null;
  owner: string | null;
  created: string | null;
  enabled: boolean | null;
  size: number | null;
  topics: string[] | null;
  devices: string[] | null;
  tags: { key: string; value: string }[] | null;
}

// Few values, so that they meet often; those that LIKE, upper and lower case and sorting could get wrong.
const text = fc.constantFrom(
  '',
  'a',
  'A',
  'ab',
  'aB',
  'b',
  'é',
  'É',
  'a%b',
  'a_b',
  'a\\b',
  '%',
  '_',
  '\\',
  'axb',
  '😀',
  '\uffee',
  "'",
);
const id = fc.constantFrom('0'.repeat(24), 'a'.repeat(24), '575ec8687ae143cd83dc4a97');
const date = fc.constantFrom(
  '0001-01-01T00:00:00.000Z',
  '1970-01-01T00:00:00.000Z',
  '2026-06-13T04:00:00.123Z',
  '9999-12-31T23:59:59.999Z',
);
const size = fc.constantFrom(-1, 0, 0.1, 1, 2 ** 31, 1e21, 5e-7);
const status = fc.constantFrom('active', 'inactive');
const tagKey = fc.constantFrom('floor', 'room', 'Floor');
const tagValue = fc.constantFrom('1', '2', '', 'a%');
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 5 });

const thing: fc.Arbitrary<Thing> = fc.record({
  name: optional(text),
  status: optional(status),
  owner: optional(id),
  created: optional(date),
  enabled: optional(fc.boolean()),
  size: optional(size),
  topics: optional(fc.array(text, { maxLength: 3 })),
  devices: optional(fc.array(id, { maxLength: 2 })),
  tags: optional(fc.array(fc.record({ key: tagKey, value: tagValue }), { maxLength: 3 })),
});
const things = fc.sample(thing, { seed: 20_260_613, numRuns: 300 });

/** What may be asked of a field, with operands that `value` makes. */
function asked(
  value: fc.Arbitrary<unknown>,
  more: Record<string, fc.Arbitrary<unknown>>,
  most?: number,
): fc.Arbitrary<unknown> {
  const list = fc.array(value, { maxLength: 3 });
  const operands = { $eq: optional(value), $ne: optional(value), $in: list, $nin: list, ...more };
  const one = fc.oneof(
    ...Object.entries(operands).map(([name, operand]) => operand.map((given) => ({ [name]: given }))),
  );
  const operators = most === 1 ? one : fc.tuple(one, one).map(([first, second]) => ({ ...first, ...second }));
  return fc.oneof(optional(value), operators);
}
const order = (value: fc.Arbitrary<unknown>) => ({ $gt: value, $gte: value, $lt: value, $lte: value });
const some = text.filter((value) => value !== '');
const textual = (value: fc.Arbitrary<unknown>) =>
  fc
    .tuple(
      asked(value, { ...order(text), $startsWith: some, $endsWith: some, $contains: some }),
      fc.boolean(),
    )
    .map(([query, ci]) => (typeof query === 'object' && query !== null ? { ...query, $ci: ci } : query));
const part = (value: fc.Arbitrary<string>) => {
  const list = fc.array(value, { maxLength: 2 });
  return fc.oneof(optional(value), fc.record({ $in: list }), fc.record({ $nin: list }));
};
const tag = optional(
  fc.oneof(
    fc.record({ $tagKey: part(tagKey), $tagValue: part(tagValue) }),
    fc.record({ $tagKey: part(tagKey) }),
    fc.record({ $tagValue: part(tagValue) }),
    fc.dictionary(tagKey, part(tagValue), { minKeys: 1, maxKeys: 2 }),
  ),
);
const anyCase = fc.tuple(id, fc.boolean()).map(([value, upper]) => (upper ? value.toUpperCase() : value));
const anyDate = fc.tuple(date, fc.boolean()).map(([value, number]) => (number ? Date.parse(value) : value));
const condition = fc.oneof(
  ...Object.entries({
    name: textual(text),
    status: textual(status),
    owner: asked(anyCase, order(anyCase), 1),
    created: asked(anyDate, order(anyDate)),
    enabled: asked(fc.boolean(), {}),
    size: asked(size, order(size)),
    topics: textual(text),
    devices: asked(anyCase, order(anyCase), 1),
    tags: fc.oneof(tag, fc.record({ $eq: tag }), fc.record({ $ne: tag })),
  }).map(([name, value]) => value.map((given) => ({ [name]: given }))),
);
const { query } = fc.letrec<{ query: Json }>((tie) => {
  const nested = fc.array(tie('query'), { maxLength: 3 });
  const logical = (name: string) => nested.map((queries) => ({ [name]: queries }));
  return {
    query: fc.oneof(
      { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
      { arbitrary: condition, weight: 4 },
      { arbitrary: fc.tuple(condition, condition).map(([one, other]) => ({ ...one, ...other })), weight: 1 },
      { arbitrary: fc.oneof(logical('$and'), logical('$or'), logical('$nor')), weight: 3 },
    ),
  };
});

type Json = Record<string, unknown>;

/** What a query means, written again without SQL. */
function matches(asking: Json, row: Thing): boolean {
  return Object.entries(asking).every(([name, value]) => {
    const nested = value as Json[];
    if (name === '$and') return nested.every((one) => matches(one, row));
    if (name === '$or') return nested.some((one) => matches(one, row));
    if (name === '$nor') return nested.length > 0 && !nested.some((one) => matches(one, row));
    if (name === 'tags') return matchesTags(value, row.tags ?? []);
    const stored = row[name as keyof Thing];
    const operators: Json = isObject(value) ? value : { $eq: value };
    return Object.entries(operators).every(([operator, operand]) => {
      const fold = (given: unknown) =>
        comparable(given, name === 'owner' || name === 'devices' || operators.$ci === true, name);
      if (operator === '$ci') return true;
      if (Array.isArray(stored) || name === 'topics' || name === 'devices') {
        const elements = ((stored as string[] | null) ?? []).map(fold);
        if (operand === null) return (operator === '$eq') === (elements.length === 0);
        if (operator === '$ne') return !elements.includes(fold(operand));
        if (operator === '$nin')
          return !elements.some((element) => (operand as unknown[]).map(fold).includes(element));
        return elements.some((element) => holds(operator, element, operand, fold));
      }
      return holds(operator, fold(stored), operand, fold);
    });
  });
}

type Comparable = string | number | boolean | null;

function holds(
  operator: string,
  stored: Comparable,
  operand: unknown,
  fold: (given: unknown) => Comparable,
): boolean {
  switch (operator) {
    case '$eq':
      return stored === fold(operand);
    case '$ne':
      return stored !== fold(operand);
    case '$in':
      return (operand as unknown[]).map(fold).includes(stored);
    case '$nin':
      return !(operand as unknown[]).map(fold).includes(stored);
  }
  if (stored === null) return false;
  const other = fold(operand)!;
  switch (operator) {
    case '$gt':
      return compare(stored, other) > 0;
    case '$gte':
      return compare(stored, other) >= 0;
    case '$lt':
      return compare(stored, other) < 0;
    case '$lte':
      return compare(stored, other) <= 0;
    case '$startsWith':
      return String(stored).startsWith(String(other));
    case '$endsWith':
      return String(stored).endsWith(String(other));
    case '$contains':
      return String(stored).includes(String(other));
  }
  throw new Error(`${operator} has no meaning`);
}

function comparable(given: unknown, fold: boolean, name: string): Comparable {
  if (given === null) return null;
  if (name === 'created') return new Date(given as string | number).getTime();
  return typeof given === 'string' && fold ? given.toLowerCase() : (given as Comparable);
}

/** By code point, as UTF-8 sorts. */
function compare(one: Comparable, other: Comparable): number {
  if (typeof one === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(String(other)));
  return Number(one) - Number(other);
}

function matchesTags(asking: unknown, tags: NonNullable<Thing['tags']>): boolean {
  if (isObject(asking) && '$eq' in asking) return matchesTags(asking.$eq, tags);
  if (isObject(asking) && '$ne' in asking) return !matchesTags(asking.$ne, tags);
  if (asking === null) return tags.length === 0;
  const pattern = asking as Json;
  if ('$tagKey' in pattern || '$tagValue' in pattern)
    return matchesTag(pattern.$tagKey, pattern.$tagValue, tags);
  return Object.entries(pattern).every(([key, value]) => matchesTag(key, value, tags));
}

function matchesTag(key: unknown, value: unknown, tags: NonNullable<Thing['tags']>): boolean {
  const found = tags.some((one) => meets(one.key, key) && meets(one.value, value));
  return key === null || value === null ? !found : found;
}

function meets(stored: string, wanted: unknown): boolean {
  if (wanted === undefined || wanted === null) return true;
  if (!isObject(wanted)) return stored === wanted;
  return '$in' in wanted
    ? (wanted.$in as string[]).includes(stored)
    : !(wanted.$nin as string[]).includes(stored);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe('An advanced query in PostgreSQL', () => {
  let client: pg.Client;

  beforeAll(async () => {
    client = new pg.Client(await databaseForWorker());
    await client.connect();
    await client.query(
      `CREATE TEMPORARY TABLE things (number integer, name text, status text, owner text, created timestamptz(3),
        enabled boolean, size double precision, topics text[], devices text[], tags jsonb)`,
    );
    for (const [number, row] of things.entries()) {
      const { name, status: state, owner, created, enabled, size: bytes, topics, devices, tags } = row;
      await client.query('INSERT INTO things VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', [
        number,
        name,
        state,
        owner,
        created,
        enabled,
        bytes,
        topics,
        devices,
        tags && JSON.stringify(tags),
      ]);
    }
  });
  afterAll(() => client.end());

  async function select(asking: unknown): Promise<number[]> {
    const values: unknown[] = [-1];
    const sql = compileAdvancedQuery(asking, fields, values);
    const { rows } = await client.query<{ number: number }>(
      `SELECT t.number FROM things t WHERE t.number > $1 AND ${sql} ORDER BY 1`,
      values,
    );
    return rows.map(({ number }) => number);
  }

  it('selects what it means', async () => {
    let telling = 0;
    await fc.assert(
      fc.asyncProperty(query, async (asking) => {
        const expected = things.flatMap((row, number) => (matches(asking, row) ? [number] : []));
        expect(await select(asking)).toEqual(expected);
        if (expected.length > 0 && expected.length < things.length) telling++;
      }),
      { numRuns: 1500 },
    );
    expect(telling).toBeGreaterThan(500);
  });

  it('is refused, or runs', async () => {
    const odd = fc.constantFrom(
      '$eq',
      '$in',
      '$nin',
      '$ci',
      '$tagKey',
      '$gt',
      '$where',
      '__proto__',
      'constructor',
      'toString',
      'floor',
      '',
    );
    const key = fc.oneof(fc.constantFrom('$and', '$or', '$nor', ...Object.keys(fields)), odd);
    const value = fc.oneof(
      text,
      anyDate,
      fc.jsonValue({ maxDepth: 1 }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\0', '\ud800', 1e308, -8.64e15),
    );
    const hostile = fc.object({ key, values: [value], maxDepth: 4, maxKeys: 3 });
    let ran = 0;
    await fc.assert(
      fc.asyncProperty(hostile, async (asking) => {
        try {
          await select(asking);
          ran++;
        } catch (error) {
          expect(error).toBeInstanceOf(ValidationError);
        }
      }),
      { numRuns: 1500 },
    );
    expect(ran).toBeGreaterThan(20);
  });

  it('runs at its largest', async () => {
    const list = Array.from({ length: 100 }, () => ({ tags: { $ne: { floor: { $nin: ['1'] } } } }));
    const parts = [1, 2, 3, 4].map(() => ({ $nor: list }));
    expect(await select({ $or: parts })).toEqual(await select({ $nor: list }));
  });
});
