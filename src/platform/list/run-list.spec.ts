import { StringField } from '../fields.js';
import type { Database } from '../database/database.js';
import { RowShape } from '../database/row-shape.js';
import type { ListParameters } from './list-query.js';
import { runList } from './run-list.js';

class Thing {
  @StringField({ description: 'Its name.' }) name: string;
}

const LIST: ListParameters = { sortField: 'name', sortDirection: 'asc', page: 0, perPage: 10 };
const list = (asked: Partial<ListParameters>, code: string) => {
  const run = () => Promise.reject(Object.assign(new Error('canceling statement'), { code }));
  const options = { table: 'things', where: [], values: [], list: { ...LIST, ...asked } };
  return runList({ run } as unknown as Database, new RowShape(Thing), options);
};

describe('A list that does not end in time', () => {
  it.each([
    [{ filterField: 'name', filter: '*a*' }, 'filter took too long to search for'],
    [{ condition: () => 'true' }, 'query took too long to search for'],
  ])('of %j is for its caller to narrow', async (asked, message) => {
    await expect(list(asked, '57014')).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
  });

  it('without either, or for another reason, is no fault of its caller', async () => {
    await expect(list({}, '57014')).rejects.toMatchObject({ code: '57014' });
    await expect(list({ filterField: 'name', filter: 'a' }, '53300')).rejects.toMatchObject({
      code: '53300',
    });
  });
});
