import { databaseForWorker } from '../../../test/setup/databases.js';
import { EncodedQuery } from '../database/query.js';
import { RowClient } from '../database/row-client.js';
import { onClient } from '../database/run-statement.js';
import { listStatement, readPage } from './list-sql.js';
import type { ListParameters } from './list-query.js';

const NAMES = ['Beta', 'alpha', 'beta', '100%', '1000', 'a_b', 'aXb', 'back\\slash', 'Été', 'beta'];

describe('Lists in PostgreSQL', () => {
  let client: RowClient;

  beforeAll(async () => {
    client = new RowClient(await databaseForWorker());
    await client.connect();
    await client.query('CREATE TEMPORARY TABLE things (id text, owner_id text, name text, created integer)');
    await client.query(
      "INSERT INTO things SELECT 'id' || n, 'mine', name, -n FROM unnest($1::text[]) WITH ORDINALITY AS one(name, n)",
      [NAMES],
    );
    await client.query("INSERT INTO things VALUES ('other', 'theirs', 'beta', 0)");
  });
  afterAll(() => client.end());

  async function list(asked: Partial<ListParameters>) {
    const parameters: ListParameters = {
      sortField: 'name',
      sortDirection: 'asc',
      page: 0,
      perPage: 100,
      ...asked,
    };
    const { text, values } = listStatement({
      table: 'things',
      columns: 't.id, t.id, t.name',
      where: ['t.owner_id = $1'],
      values: ['mine'],
      sortColumns: { name: 't.name', id: 't.id', created: 't.created' },
      filterColumns: { name: 't.name' },
      parameters,
    });
    const { rows, total } = readPage(await onClient(client, EncodedQuery, { text, values }));
    return { names: rows.map((row) => row.text(2)), ids: rows.map((row) => row.text(0)), total };
  }

  it('sort by code point, with ties by ID, in both directions', async () => {
    const sorted = ['100%', '1000', 'Beta', 'aXb', 'a_b', 'alpha', 'back\\slash', 'beta', 'beta', 'Été'];
    const up = await list({});
    expect(up).toMatchObject({ names: sorted, total: 10 });
    expect(up.ids.slice(7, 9)).toEqual(['id10', 'id3']);
    expect((await list({ sortDirection: 'desc' })).ids).toEqual(up.ids.toReversed());
    expect((await list({ sortField: 'created' })).names).toEqual(NAMES.toReversed());
  });

  it('return the total with a full page, a partial page and a page past the end', async () => {
    expect(await list({ page: 1, perPage: 4 })).toMatchObject({
      names: ['a_b', 'alpha', 'back\\slash', 'beta'],
      total: 10,
    });
    expect(await list({ page: 2, perPage: 4 })).toMatchObject({ names: ['beta', 'Été'], total: 10 });
    expect(await list({ page: 3, perPage: 4 })).toMatchObject({ names: [], total: 10 });
    expect(await list({ page: 999_999_999, perPage: 1000 })).toMatchObject({ names: [], total: 10 });
  });

  it.each([
    ['beta', ['Beta', 'beta', 'beta']],
    ['ÉT?', ['Été']],
    ['100%', ['100%']],
    ['a_b', ['a_b']],
    ['a?b', ['aXb', 'a_b']],
    ['100*', ['100%', '1000']],
    ['back\\\\*', ['back\\slash']],
    ['*A*', ['Beta', 'aXb', 'a_b', 'alpha', 'back\\slash', 'beta', 'beta']],
    ['eta', []],
  ])('filter by %j', async (filter, names) => {
    expect(await list({ filterField: 'name', filter })).toMatchObject({ names, total: names.length });
  });
});
