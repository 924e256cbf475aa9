import { makeApplication } from '../../../../test/make/make.js';
import { statementsOf } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { Removal } from '../../../platform/holdings/removal.js';

const { test, user, application } = suite();
let path: string;

beforeEach(() => {
  path = `/applications/${application.id}/data-tables`;
});

const SERIAL = { name: 'serial', dataType: 'string', constraint: 'unique' };
const STOCK = { name: 'stock', dataType: 'number', constraint: 'optional', defaultValue: 0 };
const create = (body: object = {}) =>
  test.client.post(path, { name: 'Parts', columns: [SERIAL, STOCK], ...body }, { token: user.token });
const make = async (body?: object) => (await create(body)).body;
const send = (method: string, rest: string, body?: unknown) =>
  test.client.request(method, `${path}/${rest}`, { body, token: user.token });
const addColumn = (id: string, column: object) => send('POST', `${id}/column`, column);
const removeColumn = (id: string, name: string) => send('DELETE', `${id}/column?columnName=${name}`);
const insert = (id: string, body: unknown) => send('POST', `${id}/rows`, body);

/** Returns the columns of the table of rows in PostgreSQL; empty if the table does not exist. */
async function columnsInPostgres(id: string): Promise<string[]> {
  const rows = await test.dataSource.query<{ name: string }[]>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'data_tables' AND table_name = $1 ORDER BY ordinal_position`,
    [`t_${id}`],
  );
  return rows.map(({ name }) => name);
}

describe('A data table', () => {
  it('is created, returned, updated and deleted with its table of rows', async () => {
    const { status, body: table } = await create({ description: 'In stock' });
    expect(status).toBe(201);
    expect(table).toEqual({
      id: expect.stringMatching(/^[\da-f]{24}$/),
      dataTableId: table.id,
      applicationId: application.id,
      creationDate: expect.any(String),
      lastUpdated: table.creationDate,
      name: 'Parts',
      description: 'In stock',
      columns: [SERIAL, STOCK],
    });
    expect((await send('GET', table.id)).body).toEqual(table);
    expect(await columnsInPostgres(table.id)).toEqual(['id', 'created_at', 'updated_at', 'c1', 'c2']);
    const changed = await send('PATCH', table.id, { name: 'Spares' });
    expect(changed.body).toEqual({ ...table, name: 'Spares', lastUpdated: expect.any(String) });
    expect((await send('DELETE', table.id)).body).toEqual({ success: true });
    expect(await columnsInPostgres(table.id)).toEqual([]);
    expect((await send('GET', table.id)).status).toBe(404);
  });

  it('can have no custom columns', async () => {
    const table = await make({ columns: undefined });
    expect(table.columns).toEqual([]);
    expect((await insert(table.id, {})).status).toBe(201);
  });

  const column = (change: object) => ({ columns: [{ ...STOCK, ...change }] });
  it.each([
    [{ name: '' }, 'dataTable.name must have at least 1 characters'],
    [{ columns: Array.from({ length: 51 }, () => STOCK) }, 'dataTable.columns must have at most 50 entries'],
    [column({ name: 'a"b' }), 'dataTable.columns.0.name must match the pattern ^[0-9a-zA-Z_-]{1,255}$'],
    [column({ dataType: 'date' }), 'dataTable.columns.0.dataType must be one of string, number, boolean'],
    [
      column({ constraint: 'some' }),
      'dataTable.columns.0.constraint must be one of unique, required, optional',
    ],
    [column({ defaultValue: 'a' }), 'dataTable.columns.0.defaultValue must be a number'],
    [column({ name: 'createdAt' }), 'dataTable.columns.0.name is not available: createdAt'],
    [column({ name: 'constructor' }), 'dataTable.columns.0.name is not available: constructor'],
    [{ columns: [STOCK, STOCK] }, 'dataTable.columns.1.name is not available: stock'],
    [
      column({ dataType: 'string', defaultValue: 'ä'.repeat(32_769) }),
      'dataTable.columns.0.defaultValue must have at most 65536 bytes',
    ],
  ])('rejects invalid columns: %#', async (body, message) => {
    expect((await create(body)).body).toEqual({ type: 'Validation', message });
  });

  it('is deleted with its table of rows, in batches, when its application is deleted', async () => {
    const made = await Promise.all(Array.from({ length: 25 }, () => make()));
    const other = await makeApplication(test, user.token);
    path = `/applications/${other.id}/data-tables`;
    const { id: kept } = await make();
    await test.dataSource.query('UPDATE applications SET deleted_at = now() WHERE id = $1', [application.id]);
    const statements = await statementsOf(() =>
      test.app.get(Removal, { strict: false }).application(application.id, new AbortController().signal),
    );
    expect(statements.filter((text) => text.startsWith('DELETE FROM data_tables')).length).toBe(3);
    for (const { id } of made) expect(await columnsInPostgres(id)).toEqual([]);
    expect(await columnsInPostgres(kept)).toHaveLength(5);
    await test.dataSource.query('DELETE FROM applications WHERE id = $1', [other.id]);
    expect(await columnsInPostgres(kept)).toEqual([]);
  });
});

describe('A column', () => {
  it('is added and removed, and starts without values when added again', async () => {
    const { id } = await make();
    const { body: row } = await insert(id, { serial: 'A', stock: 7 });
    expect((await removeColumn(id, 'stock')).body.columns).toEqual([SERIAL]);
    const { body } = await addColumn(id, { ...STOCK, defaultValue: undefined });
    expect(body.columns).toEqual([SERIAL, { ...STOCK, defaultValue: undefined }]);
    expect((await send('GET', `${id}/rows/${row.id}`)).body.stock).toBeNull();
    expect(await columnsInPostgres(id)).toEqual(['id', 'created_at', 'updated_at', 'c1', 'c4']);
  });

  it.each([
    ['string', `it's "50%"; DROP TABLE data_tables; -- \\ 日本語 🙂`],
    ['number', -1.5e-7],
    ['boolean', false],
  ])('of type %s applies its default value to existing and new rows', async (dataType, value) => {
    const { id } = await make();
    const { body: row } = await insert(id, { serial: 'A' });
    const column = { name: 'more', dataType, constraint: 'required', defaultValue: value };
    expect((await addColumn(id, column)).status).toBe(200);
    expect((await send('GET', `${id}/rows/${row.id}`)).body.more).toBe(value);
    expect((await insert(id, { serial: 'B' })).body.more).toBe(value);
  });

  it('is not added when existing rows would violate its constraint', async () => {
    const { id } = await make();
    await insert(id, [{ serial: 'A' }, { serial: 'B' }]);
    const required = { name: 'shelf', dataType: 'string', constraint: 'required' };
    expect(await addColumn(id, required)).toMatchObject({
      status: 400,
      body: { message: 'dataTableColumn.defaultValue is required, as the table has rows: shelf' },
    });
    const unique = { name: 'shelf', dataType: 'string', constraint: 'unique', defaultValue: 'x' };
    expect(await addColumn(id, unique)).toMatchObject({
      status: 400,
      body: { message: 'dataTableColumn.defaultValue must be unique but would apply to several rows: shelf' },
    });
    expect((await send('GET', id)).body.columns).toEqual([SERIAL, STOCK]);
    expect((await addColumn(id, { ...unique, defaultValue: undefined })).status).toBe(200);
  });

  it('is limited to 50 per table with unique names, including with concurrent requests', async () => {
    const many = Array.from({ length: 48 }, (_, i) => ({ ...STOCK, name: `c${i}` }));
    const { id } = await make({ columns: many });
    const added = await Promise.all([1, 2, 3].map(() => addColumn(id, STOCK)));
    expect(added.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const last = await Promise.all(['x', 'y', 'z'].map((name) => addColumn(id, { ...STOCK, name })));
    expect(last.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect((await removeColumn(id, 'none')).body.message).toBe(
      'columnName is not a column of the data table',
    );
  });
});
