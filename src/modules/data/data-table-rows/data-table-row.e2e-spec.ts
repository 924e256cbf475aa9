import { makeFlow } from '../../../../test/make/flows.js';
import { makeApplication } from '../../../../test/make/make.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { newId } from '../../../platform/repositories/resource.js';

const { test, user, application } = suite();
let tables: string;
let table: { id: string };
let rows: string;

const SERIAL = { name: 'serial', dataType: 'string', constraint: 'unique' };
const SHELF = { name: 'shelf', dataType: 'string', constraint: 'required', defaultValue: 'none' };
const STOCK = { name: 'stock', dataType: 'number', constraint: 'optional' };
const SOLD = { name: 'sold', dataType: 'boolean', constraint: 'optional' };

const send = (method: string, path: string, body?: unknown) =>
  test.client.request(method, path, { body, token: user.token });
async function makeTable(columns: readonly object[]): Promise<void> {
  table = (await send('POST', tables, { name: 'Parts', columns })).body;
  rows = `${tables}/${table.id}/rows`;
}
const insert = (body: unknown) => send('POST', rows, body);
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort();

beforeEach(async () => {
  tables = `/applications/${application.id}/data-tables`;
  await makeTable([SERIAL, SHELF, STOCK, SOLD]);
});

describe('A data table row', () => {
  it('is inserted, returned, updated and deleted', async () => {
    const { status, body: row } = await insert({ serial: 'A', stock: 0.1, sold: false });
    expect(status).toBe(201);
    expect(row).toEqual({
      id: expect.stringMatching(/^[\da-f]{24}$/),
      createdAt: expect.any(String),
      updatedAt: row.createdAt,
      serial: 'A',
      shelf: 'none',
      stock: 0.1,
      sold: false,
    });
    const own = `${rows}/${row.id}`;
    expect((await send('GET', own)).body).toEqual(row);
    const changed = await send('PATCH', own, { stock: null, shelf: 'north' });
    expect(changed.body).toEqual({ ...row, stock: null, shelf: 'north', updatedAt: expect.any(String) });
    expect(changed.body.updatedAt > row.updatedAt).toBe(true);
    expect((await send('GET', own)).body).toEqual(changed.body);
    expect((await send('DELETE', own)).body).toEqual({ success: true });
    for (const method of ['GET', 'DELETE']) expect((await send(method, own)).status).toBe(404);
    expect((await send('PATCH', own, {})).body.message).toBe('Data table row was not found');
  });

  it('is inserted in a batch completely or not at all', async () => {
    const { status, body } = await insert([{ serial: 'A' }, { serial: 'B', shelf: 'x', stock: 1 }]);
    expect(status).toBe(201);
    expect(body).toEqual({ count: 2, createdAt: expect.any(String), rowIds: expect.any(Array) });
    const second = (await send('GET', `${rows}/${body.rowIds[1]}`)).body;
    expect(second).toMatchObject({
      serial: 'B',
      shelf: 'x',
      stock: 1,
      sold: null,
      createdAt: body.createdAt,
    });
    expect((await insert([{ serial: 'C' }, { serial: 'A' }])).status).toBe(400);
    expect((await insert({ serial: 'C' })).status).toBe(201);
    expect((await insert([{ serial: 'D' }])).body.count).toBe(1);
  });

  it.each([
    ['', 0],
    [`it's "quoted"`, -0.5],
    [`'; DROP TABLE data_tables; --`, 1e300],
    ['\\x41 {a,"b",NULL} null', 5e-324],
    ['日本語 Ελληνικά עברית हिन्दी 🙂\u0001\n', 123_456_789_012],
  ])('stores %j and %d unchanged', async (serial, stock) => {
    const { body } = await insert([{ serial, shelf: serial, stock }, { serial: 'other' }]);
    const expected = { serial, shelf: serial, stock };
    expect((await send('GET', `${rows}/${body.rowIds[0]}`)).body).toMatchObject(expected);
    await insert({ serial: 'more' });
    const moved = await send('PATCH', `${rows}/${body.rowIds[1]}`, { shelf: serial, stock });
    expect(moved.body).toMatchObject({ shelf: serial, stock });
  });

  it('can have columns with any valid name', async () => {
    const names = ['toString', 'hasOwnProperty', 'c1', 't', 'select', '-', '_', '0', 'x'.repeat(255)];
    await makeTable(names.map((name) => ({ ...STOCK, name })));
    const cells = Object.fromEntries(names.map((name, i) => [name, i]));
    const { body } = await insert(cells);
    expect((await send('GET', `${rows}/${body.id}`)).body).toMatchObject(cells);
    expect((await insert({ hasOwnProperty: 1 })).body).toMatchObject({ hasOwnProperty: 1, toString: null });
  });

  it.each([
    [{ colour: 'red' }, 'dataTableRow.colour is not a column of the data table'],
    [{ id: newId() }, 'dataTableRow.id is not a column of the data table'],
    [{ stock: '1' }, 'dataTableRow.stock must be a number'],
    [{ sold: 1 }, 'dataTableRow.sold must be a boolean'],
    [{ shelf: null }, 'dataTableRow.shelf is required'],
    [{ shelf: 'x'.repeat(65_537) }, 'dataTableRow.shelf must have at most 65536 bytes'],
    [{ serial: 'ä'.repeat(1_025) }, 'dataTableRow.serial must have at most 2048 bytes, as it is unique'],
    [[{}, { stock: true }], 'dataTableRow.1.stock must be a number'],
  ])('rejects invalid values on insert: %#', async (body, message) => {
    expect(await insert(body)).toMatchObject({ status: 400, body: { type: 'Validation', message } });
  });

  it.each([[[]], [{ stock: {} }], [Array.from({ length: 1_001 }, () => ({}))], ['text']])(
    'rejects invalid bodies on insert: %#',
    async (body) => {
      expect((await insert(body)).status).toBe(400);
    },
  );

  it('rejects invalid values on update', async () => {
    await insert({ serial: 'A' });
    const { body: row } = await insert({ serial: 'B' });
    const own = `${rows}/${row.id}`;
    for (const [body, message] of [
      [{ serial: 'A' }, 'dataTableRow.serial is not available'],
      [{ shelf: null }, 'dataTableRow.shelf is required'],
      [{ stock: 'x' }, 'dataTableRow.stock must be a number'],
      [{ colour: 1 }, 'dataTableRow.colour is not a column of the data table'],
    ] as const)
      expect((await send('PATCH', own, body)).body).toEqual({ type: 'Validation', message });
    expect((await send('GET', own)).body).toEqual(row);
  });

  it('is limited in text size on insert and update', async () => {
    await makeTable(['a', 'b', 'c'].map((name) => ({ name, dataType: 'string', constraint: 'optional' })));
    const much = 'x'.repeat(65_536);
    const message = 'dataTableRow must have at most 131072 bytes of text';
    expect((await insert({ a: much, b: much, c: 'x' })).body).toEqual({ type: 'Validation', message });
    const { body: row } = await insert({ a: much, b: much });
    const own = `${rows}/${row.id}`;
    expect((await send('PATCH', own, { c: 'x' })).body).toEqual({ type: 'Validation', message });
    expect((await send('PATCH', own, { b: null, c: much })).status).toBe(200);
  });

  it('belongs to its table and the table to its application', async () => {
    const { body: row } = await insert({ serial: 'A' });
    const other = await makeApplication(test, user.token);
    const elsewhere = `/applications/${other.id}/data-tables/${table.id}/rows`;
    expect((await send('GET', `${elsewhere}/${row.id}`)).body.message).toBe('Data table was not found');
    expect((await send('POST', elsewhere, {})).status).toBe(404);
    await makeTable([SERIAL]);
    expect((await send('GET', `${rows}/${row.id}`)).status).toBe(404);
  });
});

describe('A value of a unique column', () => {
  it('occurs in one row only, including with concurrent inserts', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        insert(i % 2 ? { serial: 'A' } : [{ serial: 'A' }, { serial: `B${i}` }]),
      ),
    );
    expect(statuses(answers)).toEqual([201, 400, 400, 400, 400, 400]);
    const refused = answers.find(({ status }) => status === 400)!;
    expect(refused.body.message).toBe('dataTableRow.serial is not available');
  });

  it('can be missing in several rows', async () => {
    expect(statuses([await insert({}), await insert({ serial: null })])).toEqual([201, 201]);
  });
});

describe('The row count', () => {
  const counted = async (): Promise<number> => {
    const [row] = await test.dataSource.query<{ n: number }[]>(
      `SELECT (coalesce((SELECT (counts->>'rowCount')::int FROM kept_counts WHERE holder_id = $1), 0)
         + coalesce((SELECT sum(n) FROM count_deltas WHERE holder_id = $1), 0))::int AS n`,
      [table.id],
    );
    return row!.n;
  };

  it('follows inserts, deletes and truncation', async () => {
    const { body } = await insert(Array.from({ length: 7 }, (_, i) => ({ serial: `${i}` })));
    expect(await counted()).toBe(7);
    await send('DELETE', `${rows}/${body.rowIds[0]}`);
    await insert([{ serial: '1' }, { serial: 'x' }]);
    expect(await counted()).toBe(6);
    await send('POST', `${rows}/delete?limit=2`, {});
    expect(await counted()).toBe(4);
    await send('POST', `${rows}/truncate`);
    expect(await counted()).toBe(0);
    await insert({});
    expect(await counted()).toBe(1);
  });

  it('is deleted with the table', async () => {
    await insert([{}, {}]);
    await send('DELETE', `${tables}/${table.id}`);
    await waitUntil(async () => (await counted()) === 0);
  });
});

describe('While columns change', () => {
  it('rows are inserted, updated and returned with the columns of that moment', async () => {
    const column = `${tables}/${table.id}/column`;
    const { body: row } = await insert({ serial: 'kept' });
    const own = `${rows}/${row.id}`;
    const results: { status: number; body: any }[] = [];
    const change = async () => {
      for (let n = 0; n < 6; n++) {
        const added = { name: 'extra', dataType: n % 2 ? 'number' : 'string', constraint: 'required' };
        results.push(await send('POST', column, { ...added, defaultValue: n % 2 ? n : `v${n}` }));
        results.push(await send('DELETE', `${column}?columnName=extra`));
      }
    };
    let done = false;
    const use = async (worker: number) => {
      for (let n = 0; !done; n++) {
        const answers = [
          await insert([{ serial: `${worker}-${n}` }, { serial: `${worker}+${n}`, stock: n }]),
          await send('GET', own),
          await send('PATCH', own, { stock: n }),
        ];
        results.push(...answers);
      }
    };
    const uses = [0, 1, 2].map(use);
    await change();
    done = true;
    await Promise.all(uses);
    expect([...new Set(results.map(({ status }) => status))].sort()).toEqual([200, 201]);
    expect((await send('GET', own)).body).toMatchObject({ serial: 'kept' });
  });

  it('inserts into a deleted table return 404', async () => {
    const answers = await Promise.all([
      send('DELETE', `${tables}/${table.id}`),
      ...Array.from({ length: 5 }, () => insert({})),
    ]);
    for (const { status } of answers) expect([200, 201, 404]).toContain(status);
    expect((await insert({})).status).toBe(404);
  });
});

describe('Workflows triggered by a data table', () => {
  const listens = (config: object, key = table.id) =>
    makeFlow(test, user.token, application.id, {
      triggers: [{ type: 'dataTable', key, config, outputIds: [] }],
    });
  const heard = async ({ id }: { id: string }) => {
    const found = await requestedRuns(test, { flowId: id });
    return found.map(({ trigger }) => trigger);
  };

  it('run with the inserted, updated or deleted rows', async () => {
    const flow = await listens({});
    const stranger = await listens({}, newId());
    const { body: one } = await insert([{ serial: 'A' }]);
    const own = `${rows}/${one.rowIds[0]}`;
    const { body: row } = await send('GET', own);
    const { body: several } = await insert([{ serial: 'B' }, { serial: 'C' }]);
    const { body: changed } = await send('PATCH', own, { stock: 3 });
    await send('DELETE', own);
    const about = { type: 'dataTable', key: table.id, sourceId: user.id, sourceType: 'user' };
    expect(await heard(flow)).toEqual([
      { ...about, data: { action: 'insert', newRow: row } },
      { ...about, data: { action: 'bulkInsert', ...several } },
      { ...about, data: { action: 'update', newRow: changed, oldRow: row } },
      { ...about, data: { action: 'delete', oldRow: changed } },
    ]);
    expect(await heard(stranger)).toEqual([]);
  });

  it('run only for the actions that their trigger selects', async () => {
    const flows = [];
    for (const action of ['insert', 'bulkInsert', 'update', 'delete'])
      flows.push(await listens({ [action]: true, ...(action === 'insert' ? { delete: false } : {}) }));
    const none = await listens({ insert: false });
    const { body: row } = await insert({ serial: 'A' });
    await insert([{}, {}]);
    await send('PATCH', `${rows}/${row.id}`, { stock: 1 });
    await send('DELETE', `${rows}/${row.id}`);
    const actions = [];
    for (const flow of flows) actions.push((await heard(flow)).map(({ data }) => data.action));
    expect(actions).toEqual([['insert'], ['bulkInsert'], ['update'], ['delete']]);
    expect(await heard(none)).toEqual([]);
  });

  it('do not run for rejected changes', async () => {
    const flow = await listens({});
    await insert({ serial: 'A' });
    await insert({ serial: 'A' });
    await send('PATCH', `${rows}/${newId()}`, { stock: 1 });
    await send('DELETE', `${rows}/${newId()}`);
    expect(await heard(flow)).toHaveLength(1);
  });

  it('cost no statements when no workflow uses the table', async () => {
    const count = statementCounter(test);
    await insert({ serial: 'A' });
    const { statements } = await count('POST', rows, user.token, { serial: 'B' });
    expect(statements).toEqual([
      expect.stringMatching(/^SELECT t\.columns/),
      expect.stringMatching(/^WITH come AS \(\s*INSERT INTO data_tables\./),
    ]);
  });
});
