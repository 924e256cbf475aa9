import type { Database } from '../database/database.js';
import { RowShape } from '../database/row-shape.js';
import type { Search } from '../database/searches.js';
import { StringField } from '../fields/fields.js';
import type { ListParameters } from './list-query.js';
import { runList, runWholeList } from './run-list.js';

class Thing {
  @StringField({ description: 'Its name.' }) name: string;
}

const LIST: ListParameters = { sortField: 'name', sortDirection: 'asc', page: 0, perPage: 10 };

/** Returns how a list was recorded as a search, with and without pagination; `undefined` if it was not. */
async function searches(asked: Partial<ListParameters>, searchedBy?: string): Promise<unknown> {
  const found: (Search | undefined)[] = [];
  const database = {
    list: (_: unknown, search?: Search) => (found.push(search), Promise.resolve([])),
  } as unknown as Database;
  const list = { ...LIST, ...asked };
  const options = { table: 'things', owner: 'me', where: [], values: [], searchedBy, list, total: '0' };
  await runList(database, new RowShape(Thing), options);
  await runWholeList(database, new RowShape(Thing), options);
  expect(found[0]).toEqual(found[1]);
  return found[0];
}

describe('A list request', () => {
  it('counts as a search of the owner if no index can answer it', async () => {
    const condition = () => 'true';
    const filtered = { filterField: 'name', filter: '*a*' };
    expect(await searches(filtered)).toEqual({ owner: 'me', parameter: 'filter' });
    expect(await searches(filtered, 'other')).toEqual({ owner: 'me', parameter: 'filter' });
    expect(await searches({ condition })).toEqual({ owner: 'me', parameter: 'query' });
    expect(await searches({ condition }, 'other')).toEqual({ owner: 'me', parameter: 'query' });
    expect(await searches({}, 'other')).toEqual({ owner: 'me', parameter: 'other' });
  });

  it('does not count as a search if it only sorts and paginates', async () => {
    expect(await searches({})).toBeUndefined();
    expect(await searches({ filterField: 'name' })).toBeUndefined();
  });

  it('does not count as a search with a query that matches all rows, which replaces the filter, if their number is stored', async () => {
    const condition = () => 'TRUE';
    const filtered = { filterField: 'name', filter: '*a*' };
    expect(await searches({ ...filtered, condition, query: {} })).toBeUndefined();
    expect(await searches({ condition, query: {} }, 'other')).toEqual({ owner: 'me', parameter: 'other' });
  });
});
