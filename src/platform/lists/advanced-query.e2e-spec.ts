import fc from 'fast-check';
import pg from 'pg';
import {
  date,
  id,
  matches,
  nodes,
  optional,
  queriesOver,
  tags,
  text,
  triggers,
  type Kinds,
} from '../../../test/make/advanced-queries.js';
import { databaseForWorker } from '../../../test/setup/databases.js';
import { ValidationError } from '../../lib/errors/errors.js';
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
  triggers: { kind: 'triggers', column: 't.triggers' },
  nodes: { kind: 'nodes', column: 't.nodes' },
};
const kinds: Kinds = Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, kind]));

const size = fc.constantFrom(-1, 0, 0.1, 1, 2 ** 31, 1e21, 5e-7);
const status = fc.constantFrom('active', 'inactive');
const things = fc.sample(
  fc.record({
    name: optional(text),
    status: optional(status),
    owner: optional(id),
    created: optional(date),
    enabled: optional(fc.boolean()),
    size: optional(size),
    topics: optional(fc.array(text, { maxLength: 3 })),
    devices: optional(fc.array(id, { maxLength: 2 })),
    tags: optional(tags),
    triggers: optional(triggers),
    nodes: optional(nodes),
  }),
  { seed: 20_260_613, numRuns: 300 },
);
const query = queriesOver(kinds, {
  name: text,
  status,
  owner: id,
  created: date,
  enabled: fc.boolean(),
  size,
  topics: text,
  devices: id,
});

describe('Advanced queries in PostgreSQL', () => {
  let client: pg.Client;

  beforeAll(async () => {
    client = new pg.Client(await databaseForWorker());
    await client.connect();
    await client.query(
      `CREATE TEMPORARY TABLE things (number integer, name text, status text, owner text, created timestamptz(3),
        enabled boolean, size double precision, topics text[], devices text[], tags jsonb, triggers jsonb, nodes jsonb)`,
    );
    const JSON_COLUMNS = ['tags', 'triggers', 'nodes'];
    for (const [number, row] of things.entries()) {
      const values = Object.entries(row).map(([name, value]) =>
        JSON_COLUMNS.includes(name) && value !== null ? JSON.stringify(value) : value,
      );
      const places = values.map((_, i) => `$${i + 2}`).join(', ');
      await client.query(`INSERT INTO things VALUES ($1, ${places})`, [number, ...values]);
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

  it('select the same rows as the reference implementation', async () => {
    let telling = 0;
    await fc.assert(
      fc.asyncProperty(query, async (asking) => {
        const expected = things.flatMap((row, number) => (matches(asking, row, kinds) ? [number] : []));
        expect(await select(asking)).toEqual(expected);
        if (expected.length > 0 && expected.length < things.length) telling++;
      }),
      { numRuns: 1500 },
    );
    expect(telling).toBeGreaterThan(500);
  });

  it('are either rejected or valid SQL', async () => {
    const odd = fc.constantFrom(
      '$eq',
      '$in',
      '$nin',
      '$ci',
      '$tagKey',
      'type',
      'key',
      'config',
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
      date,
      date.map((one) => Date.parse(one)),
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

  it('run at their maximum size', async () => {
    const list = Array.from({ length: 100 }, () => ({ tags: { $ne: { floor: { $nin: ['1'] } } } }));
    const parts = [1, 2, 3, 4].map(() => ({ $nor: list }));
    expect(await select({ $or: parts })).toEqual(await select({ $nor: list }));
  });
});
