import fc from 'fast-check';
import {
  matches,
  optional,
  queriesOver,
  text,
  type Json,
  type Kinds,
} from '../../../../test/make/advanced-queries.js';
import { makeDataTable, type MadeTable } from '../../../../test/make/data-tables.js';
import { makeApplication, type TestUser } from '../../../../test/make/make.js';
import { blackBox } from '../../../../test/setup/black-box.js';

const { test } = blackBox();

/** Column names that would break statements if used in them directly. */
const COLUMNS = [
  { name: 'select', dataType: 'string', constraint: 'optional' },
  { name: 'Unique-Key', dataType: 'string', constraint: 'unique' },
  { name: '0', dataType: 'number', constraint: 'optional' },
  { name: '_', dataType: 'boolean', constraint: 'optional' },
] as const;
const number = fc.constantFrom(-1, 0, 0.1, 1, 2 ** 31, 1e21, 5e-7, 1e308, 5e-324);
const values = { select: text, 'Unique-Key': text, '0': number, _: fc.boolean() };
const kinds: Kinds = {
  ...Object.fromEntries(COLUMNS.map(({ name, dataType }) => [name, dataType])),
  id: 'id',
  createdAt: 'date',
};
const record = fc.record({
  select: optional(text),
  'Unique-Key': fc.constant(null),
  '0': optional(number),
  _: optional(fc.boolean()),
});

let table: MadeTable;
let user: TestUser;
let rows: Json[];

beforeAll(async () => {
  user = await test.anotherUser();
  const { id } = await makeApplication(test, user.token);
  table = await makeDataTable(test, user.token, id, COLUMNS);
  const some = fc.sample(record, { seed: 20_260_613, numRuns: 200 });
  // Each value once in the unique column; the remaining rows have no value in it.
  const distinct = [...new Set(fc.sample(text, { seed: 1, numRuns: 200 }))];
  await table.insert(some.map((row, i) => ({ ...row, 'Unique-Key': distinct[i] ?? null })));
  const { body } = await test.client.get(table.rows, { token: user.token });
  rows = body.items;
});

const query = (asking: object, parameters = '') =>
  test.client.post(`${table.rows}/query${parameters}`, asking, { token: user.token });

it('A query of rows returns the matching rows for any columns', async () => {
  const [id, createdAt] = [rows[7]!.id as string, rows[7]!.createdAt as string];
  const asked = queriesOver(kinds, { ...values, id: fc.constant(id), createdAt: fc.constant(createdAt) });
  let telling = 0;
  await fc.assert(
    fc.asyncProperty(asked, async (asking) => {
      const expected = rows.filter((row) => matches(asking, row, kinds)).map((row) => row.id);
      const { status, body } = await query(asking);
      expect(status).toBe(200);
      expect(body.items.map((row: Json) => row.id)).toEqual(expected);
      expect(body.totalCount).toBe(expected.length);
      if (expected.length > 0 && expected.length < rows.length) telling++;
    }),
    { numRuns: 400 },
  );
  expect(telling).toBeGreaterThan(100);
});

it('Rows are sorted by any column, in pages without gaps or overlaps', async () => {
  const names = [...COLUMNS.map(({ name }) => name), 'id', 'updatedAt'];
  const asked = fc.record({
    column: fc.constantFrom(...names),
    direction: fc.constantFrom('asc', 'desc'),
    limit: fc.integer({ min: 1, max: 60 }),
    offset: fc.integer({ min: 0, max: 220 }),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ column, direction, limit, offset }) => {
      const sorted = rows.toSorted((a, b) => order(a, b, column) * (direction === 'asc' ? 1 : -1));
      const { body } = await query(
        {},
        `?sortColumn=${column}&sortDirection=${direction}&limit=${limit}&offset=${offset}`,
      );
      expect(body.items.map((row: Json) => row.id)).toEqual(
        sorted.slice(offset, offset + limit).map((row) => row.id),
      );
    }),
    { numRuns: 60 },
  );
});

/** Compares by a column with empty values last, then by ID. */
function order(a: Json, b: Json, column: string): number {
  return compare(a[column], b[column]) || compare(a.id, b.id);
}

function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return Number(a) - Number(b);
}
