import { makeDataTable, type MadeTable } from '../../../../test/make/data-tables.js';
import { makeFlow } from '../../../../test/make/flows.js';
import { makeApplication, makeMember, makeOrg, tokenOf } from '../../../../test/make/make.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const { test, user, application } = suite();
let table: MadeTable;

beforeEach(async () => {
  table = await makeDataTable(test, user.token, application.id, [
    { name: 'serial', dataType: 'string', constraint: 'unique' },
    { name: 'stock', dataType: 'number', constraint: 'optional' },
    { name: 'open', dataType: 'boolean', constraint: 'optional' },
  ]);
});

const get = (query = '', token = user.token) => test.client.get(`${table.rows}${query}`, { token });
const post = (action: string, body: unknown, token = user.token) =>
  test.client.post(`${table.rows}/${action}`, body, { token });
const serials = (body: { items: { serial: string }[] }) => body.items.map(({ serial }) => serial);

describe('The rows of a data table', () => {
  it('are listed by ID with all columns', async () => {
    const [first] = await table.insert([{ serial: 'b', stock: 2.5, open: true }, { serial: 'a' }]);
    const { status, body } = await get();
    expect(status).toBe(200);
    expect(serials(body)).toEqual(['b', 'a']);
    expect(body.items[0]).toEqual({
      id: first,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      serial: 'b',
      stock: 2.5,
      open: true,
    });
    expect(body.items[1]).toMatchObject({ serial: 'a', stock: null, open: null });
    const { items: _items, ...rest } = body;
    expect(rest).toEqual({
      count: 2,
      totalCount: 2,
      limit: 1_000,
      offset: 0,
      sortColumn: 'id',
      sortDirection: 'asc',
      applicationId: application.id,
      dataTableId: table.id,
    });
  });

  it('are an empty list for a new table', async () => {
    expect((await get()).body).toMatchObject({ items: [], count: 0, totalCount: 0 });
  });

  it('are sorted by any column with empty values last and ties by ID', async () => {
    const rows = [
      { serial: 'a', stock: 2, open: true },
      { serial: 'B', stock: 10 },
      { serial: 'é', open: false },
      { serial: 'b', stock: 2, open: false },
      { serial: 'c' },
    ];
    await table.insert(rows);
    const sorted = async (column: string, direction: string) =>
      serials((await get(`?sortColumn=${column}&sortDirection=${direction}`)).body).join('');
    expect(await sorted('stock', 'asc')).toBe('abBéc');
    expect(await sorted('stock', 'DESC')).toBe('céBba');
    expect(await sorted('serial', 'asc')).toBe('Babcé');
    expect(await sorted('serial', 'desc')).toBe('écbaB');
    expect(await sorted('open', 'asc')).toBe('ébaBc');
    expect(await sorted('createdAt', 'desc')).toBe('cbéBa');
    expect(await sorted('id', 'asc')).toBe('aBébc');
  });

  it('are limited by limit and offset', async () => {
    await table.insert(['a', 'b', 'c', 'd'].map((serial) => ({ serial })));
    const { body } = await get('?sortColumn=serial&sortDirection=desc&limit=2&offset=1');
    expect(serials(body)).toEqual(['c', 'b']);
    expect(body).toMatchObject({ count: 2, totalCount: 4, limit: 2, offset: 1, sortDirection: 'desc' });
    expect((await get('?offset=4')).body).toMatchObject({ items: [], totalCount: 4 });
    expect((await get('?limit=0')).body).toMatchObject({ items: [], totalCount: 4 });
  });

  it('contain only the requested columns', async () => {
    const [id] = await table.insert([{ serial: 'a', stock: 1 }]);
    expect((await get('?includeFields=stock,id,stock')).body.items).toEqual([{ stock: 1, id }]);
  });

  it.each([
    ['?sortColumn=weight', 'sortColumn names weight, which is not a column of the table'],
    ['?includeFields=id,c1', 'includeFields names c1, which is not a column of the table'],
    ['?sortDirection=up', 'sortDirection must be one of asc, desc, ASC, DESC'],
    ['?limit=10001', 'limit must be an integer from 0 to 10000'],
    ['?limit=-1', 'limit must be an integer from 0 to 10000'],
    ['?offset=x', 'offset must be an integer from 0 to 999999999'],
  ])('return 400 for %s', async (query, message) => {
    const answer = await get(query);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ type: 'Validation', message });
  });

  it('are rejected when they exceed the maximum response size', async () => {
    const wide = await makeDataTable(test, user.token, application.id, [
      { name: 'text', dataType: 'string', constraint: 'optional' },
    ]);
    const text = 'x'.repeat(65_000);
    for (let n = 0; n < 18; n++) await wide.insert(Array.from({ length: 15 }, () => ({ text })));
    const answer = (query: string) => test.client.get(`${wide.rows}?${query}`, { token: user.token });
    expect(await answer('limit=300')).toMatchObject({
      status: 400,
      body: { message: 'limit exceeds the maximum response size: request fewer rows or fields' },
    });
    expect((await answer('limit=200')).body).toMatchObject({ count: 200, totalCount: 270 });
    expect((await answer('limit=300&includeFields=id')).body.count).toBe(270);
  });

  it('take two statements, regardless of the number of rows', async () => {
    await table.insert([{ serial: 'a' }]);
    const send = statementCounter(test);
    await get();
    expect((await send('GET', table.rows, user.token)).statements).toHaveLength(2);
    const query = `${table.rows}/query`;
    expect((await send('POST', query, user.token, { serial: 'a' })).statements).toHaveLength(2);
  });

  it('return 404 for a missing table or one of another application', async () => {
    const other = await makeApplication(test, user.token);
    const paths = [
      `/applications/${other.id}/data-tables/${table.id}`,
      table.path.replace(table.id, newId()),
    ];
    for (const path of paths) {
      const options = { token: user.token };
      const answers = [
        await test.client.get(`${path}/rows`, options),
        await test.client.post(`${path}/rows/query`, {}, options),
        await test.client.post(`${path}/rows/delete`, {}, options),
        await test.client.post(`${path}/rows/truncate`, undefined, options),
        await test.client.post(`${path}/rows/export`, {}, options),
      ];
      for (const { status, body } of answers)
        expect([status, body]).toEqual([404, { type: 'NotFound', message: 'Data table was not found' }]);
    }
  });

  it('require view to read, and collaborate to delete and export', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    table = await makeDataTable(test, user.token, id, []);
    const statuses = await Promise.all(
      (['none', 'view', 'collaborate'] as const).map(async (role) => {
        const { token } = await makeMember(test, org.id, role);
        const answers = [
          await get('', token),
          await post('query', {}, token),
          await post('delete', {}, token),
          await post('truncate', undefined, token),
          await post('export', {}, token),
        ];
        return answers.map(({ status }) => status);
      }),
    );
    expect(statuses).toEqual([
      [404, 404, 404, 404, 404],
      [200, 200, 403, 403, 403],
      [200, 200, 200, 200, 202],
    ]);
  });

  it.each([
    [undefined, 401, 401],
    ['dataTableRows.get', 200, 403],
    ['dataTableRows.*', 200, 200],
    ['all.User.read', 200, 403],
    ['dataTable.get', 403, 403],
  ])('return, with the scope %s, %i on reads and %i on deletion', async (scope, read, deleted) => {
    const token = scope && tokenOf(test, user.id, [scope]);
    expect((await test.client.get(table.rows, { token })).status).toBe(read);
    expect((await test.client.post(`${table.rows}/delete`, {}, { token })).status).toBe(deleted);
  });
});

describe('A query of rows', () => {
  it('returns the matching rows and their total number', async () => {
    await table.insert([
      { serial: 'a', stock: 1, open: true },
      { serial: 'b', stock: 5 },
      { serial: 'c', stock: 9, open: true },
      { serial: 'd' },
    ]);
    const query = { $or: [{ stock: { $gt: 1, $lt: 9 } }, { open: true, stock: 9 }] };
    const { body } = await post('query?sortColumn=serial&limit=1', query);
    expect(body).toMatchObject({ count: 1, totalCount: 2, limit: 1, query });
    expect(serials(body)).toEqual(['b']);
    expect(serials((await post('query', { stock: null })).body)).toEqual(['d']);
    expect(serials((await post('query', { serial: { $in: ['c', 'x', 'a'] } })).body)).toEqual(['a', 'c']);
  });

  it('returns all rows when it is empty or absent', async () => {
    await table.insert([{ serial: 'a' }, { serial: 'b' }]);
    for (const body of [{}, undefined])
      expect((await post('query', body)).body).toMatchObject({ count: 2, totalCount: 2 });
  });

  it('can use the system columns', async () => {
    const [first, second] = await table.insert([{ serial: 'a' }, { serial: 'b' }]);
    expect(serials((await post('query', { id: second!.toUpperCase() })).body)).toEqual(['b']);
    expect(serials((await post('query', { id: { $lte: first } })).body)).toEqual(['a']);
    expect((await post('query', { createdAt: { $gt: Date.now() + 60_000 } })).body.items).toEqual([]);
    expect((await post('query', { updatedAt: { $gt: '2026-01-01' } })).body.count).toBe(2);
  });

  it.each([
    [{ weight: 1 }, 'query.weight is not an attribute that can be queried'],
    [{ c1: 'a' }, 'query.c1 is not an attribute that can be queried'],
    [{ stock: 'many' }, 'query.stock must be a number'],
    [{ serial: 1 }, 'query.serial must be a string'],
    [{ open: { $in: ['yes'] } }, 'query.open.$in.0 must be true or false'],
    [{ stock: { $contains: '1' } }, 'query.stock.$contains is not an operator of this attribute'],
    [{ $nor: [{ $and: [{ open: 0 }] }] }, 'query.$nor.0.$and.0.open must be true or false'],
    [{ $where: 'true' }, 'query.$where is not an attribute that can be queried'],
    [{ createdAt: 'today' }, 'query.createdAt must be a date: milliseconds since 1970 or ISO 8601 text'],
    [{ id: '1' }, 'query.id must be an ID of 24 hexadecimal digits'],
    [{ toString: null }, 'query.toString is not an attribute that can be queried'],
  ])('rejects %j with a message', async (query, message) => {
    const { status, body } = await post('query', query);
    expect([status, body]).toEqual([400, { type: 'Validation', message }]);
  });

  it.each([[[]], [{ stock: { $gt: {} } }], [{ stock: { $near: 1 } }], [{ $and: {} }], [{ serial: [] }]])(
    'rejects %j',
    async (query) => {
      expect((await post('query', query)).status).toBe(400);
    },
  );

  it('uses the current columns', async () => {
    await table.insert([{ serial: 'a', stock: 1 }]);
    const column = { name: 'weight', dataType: 'number', constraint: 'optional', defaultValue: 7 };
    await test.client.post(`${table.path}/column`, column, { token: user.token });
    expect((await post('query', { weight: 7 })).body.count).toBe(1);
    await test.client.delete(`${table.path}/column?columnName=stock`, { token: user.token });
    expect((await post('query', { stock: 1 })).status).toBe(400);
    expect((await get('?sortColumn=weight')).body.items).toEqual([
      expect.objectContaining({ serial: 'a', weight: 7 }),
    ]);
  });
});

describe('Rows that match a query', () => {
  it('are deleted in order of ID', async () => {
    await table.insert(Array.from({ length: 5 }, (_, stock) => ({ serial: `s${stock}`, stock })));
    expect((await post('delete?limit=2', { stock: { $gte: 1 } })).body).toEqual({ removed: 2 });
    expect(serials((await get()).body)).toEqual(['s0', 's3', 's4']);
    expect((await post('delete', { stock: 9 })).body).toEqual({ removed: 0 });
    expect((await get()).body.totalCount).toBe(3);
    expect((await post('delete', undefined)).body).toEqual({ removed: 3 });
    expect((await get()).body).toMatchObject({ items: [], totalCount: 0 });
  });

  it('are deleted once by concurrent requests', async () => {
    await table.insert(Array.from({ length: 40 }, (_, stock) => ({ serial: `s${stock}`, stock })));
    const answers = await Promise.all([1, 2].map(() => post('delete?limit=30', { stock: { $lt: 35 } })));
    const removed = answers.map(({ body }) => body.removed as number);
    expect(removed.reduce((sum, n) => sum + n)).toBe(35);
    expect((await get()).body).toMatchObject({ count: 5, totalCount: 5 });
  });

  it.each([
    ['delete', { weight: 1 }, 'query.weight is not an attribute that can be queried'],
    ['delete?limit=0', {}, 'limit must be an integer from 1 to 10000'],
    ['delete?limit=all', {}, 'limit must be an integer from 1 to 10000'],
  ])('are not deleted by %s %j', async (action, query, message) => {
    await table.insert([{ serial: 'a' }]);
    expect((await post(action, query)).body).toEqual({ type: 'Validation', message });
    expect((await get()).body.totalCount).toBe(1);
  });
});

describe('Workflows triggered by a data table', () => {
  const listens = (config: object, key = table.id) =>
    makeFlow(test, user.token, application.id, {
      triggers: [{ type: 'dataTable', key, config, outputIds: [] }],
    });
  const heard = async ({ id }: { id: string }): Promise<any[]> => {
    const found = await requestedRuns(test, { flowId: id });
    return found.map(({ trigger }) => trigger).filter(({ data }) => data.action === 'delete');
  };

  it('run for each row deleted by a query, and not for truncated rows', async () => {
    const flows = [await listens({}), await listens({ delete: true, insert: true })];
    const deaf = [await listens({ insert: true }), await listens({}, newId())];
    await table.insert(Array.from({ length: 260 }, (_, stock) => ({ serial: `s${stock}`, stock })));
    const { items } = (await get()).body;
    expect((await post('delete', { stock: { $lt: 250 } })).body).toEqual({ removed: 250 });
    await post('truncate', undefined);
    for (const flow of flows) {
      const triggers = await heard(flow);
      expect(triggers[0]).toEqual({
        type: 'dataTable',
        key: table.id,
        sourceId: user.id,
        sourceType: 'user',
        data: { action: 'delete', oldRow: expect.any(Object) },
      });
      const rows = triggers.map(({ data }) => data.oldRow).sort((a, b) => a.stock - b.stock);
      expect(rows).toEqual(items.slice(0, 250));
    }
    for (const flow of deaf) expect(await heard(flow)).toEqual([]);
  });

  it('run only for the rows that are deleted', async () => {
    const flow = await listens({});
    await table.insert(Array.from({ length: 130 }, (_, stock) => ({ serial: `s${stock}`, stock })));
    expect((await post('delete?limit=110', { stock: { $gte: 5 } })).body).toEqual({ removed: 110 });
    expect(await heard(flow)).toHaveLength(110);
    expect((await get()).body.totalCount).toBe(20);
  });
});

describe('A data table', () => {
  it('is truncated at once and accepts new rows', async () => {
    await table.insert([{ serial: 'a' }, { serial: 'b' }]);
    const { status, body } = await post('truncate', undefined);
    expect([status, body]).toEqual([200, { success: true }]);
    expect((await get()).body).toMatchObject({ items: [], totalCount: 0 });
    await table.insert([{ serial: 'a' }]);
    expect((await get()).body).toMatchObject({ count: 1, totalCount: 1 });
  });

  it('keeps a correct row count with inserts during truncation', async () => {
    const inserts = Array.from({ length: 20 }, (_, n) =>
      table.insert([{ serial: `s${n}` }, { serial: `t${n}` }]),
    );
    const emptied = [0, 1, 2].map(() => post('truncate', undefined));
    await Promise.all(inserts);
    expect((await Promise.all(emptied)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const { body } = await get();
    expect(body.totalCount).toBe(body.count);
  });
});
