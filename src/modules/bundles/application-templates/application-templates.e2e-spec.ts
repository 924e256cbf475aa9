import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const root = mkdtempSync(join(tmpdir(), 'fieldwright-templates-'));
const { test, user } = suite({ TEMPLATES_DIR: root });

const write = (path: string, content: object): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), JSON.stringify(content));
};
const template = (path: string, facts: object): void =>
  write(`${path}/application.yaml`, { resourceType: 'Application', resources: [facts], version: 1 });

write('a/index.yaml', { name: 'Industry', description: 'Machines' });
write('a/b/index.yaml', { name: 'Water', resourceTypes: ['CustomNode'] });
write('c/index.yaml', { name: 'Buildings' });
template('a/b/pumps', {
  name: 'Pumps',
  authorName: 'Ada',
  keywords: ['water', 'alarms'],
  creationDate: '2026-01-01T00:00:00Z',
  lastUpdated: '2026-03-01T00:00:00Z',
});
template('a/presses', {
  name: 'presses',
  authorName: 'Grace',
  keywords: ['alarms'],
  creationDate: '2026-02-01T00:00:00Z',
});
template('c/rooms', { name: 'Rooms', keywords: ['comfort'], creationDate: '2026-01-15T00:00:00Z' });
template('c/broken', { description: 'without a name' });
afterAll(() => rmSync(root, { recursive: true }));

const get = (path: string, token = user.token) => test.client.get(`/applicationTemplates${path}`, { token });
const names = async (query: string): Promise<string[]> => {
  const { status, body } = await get(query);
  expect(status).toBe(200);
  return body.items.map(({ name }: { name: string }) => name);
};
const categoryIds = async (): Promise<Record<string, string>> => {
  const { body } = await get('/categories');
  return Object.fromEntries(body.items.map(({ name, id }: { name: string; id: string }) => [name, id]));
};

describe('template list', () => {
  it.each([
    ['', ['presses', 'Pumps', 'Rooms']],
    ['?sortDirection=desc', ['Rooms', 'Pumps', 'presses']],
    ['?sortField=creationDate', ['Pumps', 'Rooms', 'presses']],
    ['?sortField=lastUpdated&sortDirection=desc', ['Pumps', 'presses', 'Rooms']],
    ['?perPage=2&page=1', ['Rooms']],
    ['?filter=p*', ['presses', 'Pumps']],
    ['?filter=PUMP?', ['Pumps']],
    ['?filterField=authorName&filter=grace', ['presses']],
    ['?filter=nothing', []],
    ['?keywords[0]=alarms', ['presses', 'Pumps']],
    ['?keywords[0]=alarms&keywords[1]=water', ['Pumps']],
    [`?keywords=${encodeURIComponent('["comfort"]')}`, ['Rooms']],
    ['?keywords[0]=comfort&keywords[1]=water', []],
    ['?keywords[0]=comfort&filter=p*', []],
  ])('returns matching templates for %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('includes templates of subcategories', async () => {
    const { Industry, Water, Buildings } = await categoryIds();
    expect(await names(`?categoryId=${Industry}`)).toEqual(['presses', 'Pumps']);
    expect(await names(`?categoryId=${Water}`)).toEqual(['Pumps']);
    expect(await names(`?categoryId=${Buildings!.toUpperCase()}`)).toEqual(['Rooms']);
    expect(await names(`?categoryId=${newId()}`)).toEqual([]);
  });

  it('echoes the query parameters', async () => {
    const { Water } = await categoryIds();
    const { body } = await get(`?filter=*&perPage=1&keywords[0]=water&categoryId=${Water}`);
    expect(body).toMatchObject({
      count: 1,
      totalCount: 1,
      page: 0,
      perPage: 1,
      sortField: 'name',
      sortDirection: 'asc',
      filterField: 'name',
      filter: '*',
      keywords: ['water'],
      categoryId: Water,
    });
  });

  it.each(['?sortField=readme', '?perPage=0', '?categoryId=water', '?keywords[0]=a%20b', '?keywords=water'])(
    'returns 400 for %s',
    async (query) => {
      expect((await get(query)).status).toBe(400);
    },
  );

  it('returns each keyword once', async () => {
    expect((await get('/keywords')).body).toEqual({ keywords: ['alarms', 'comfort', 'water'] });
  });
});

describe('template categories', () => {
  it('returns parents before their children', async () => {
    const { Industry, Water, Buildings } = await categoryIds();
    expect((await get('/categories')).body).toEqual({
      items: [
        { id: Industry, name: 'Industry', description: 'Machines' },
        { id: Water, parentId: Industry, name: 'Water', resourceTypes: ['CustomNode'] },
        { id: Buildings, name: 'Buildings' },
      ],
      count: 3,
      totalCount: 3,
    });
    const { body } = await get(`/categories?baseId=${Industry}`);
    expect(body).toMatchObject({ items: [{ id: Industry }, { id: Water }], totalCount: 2, baseId: Industry });
    expect((await get(`/categories?baseId=${Water}`)).body.items).toHaveLength(1);
  });

  it.each([newId(), 'industry'])('returns 400 for the unknown baseId %s', async (baseId) => {
    expect((await get(`/categories?baseId=${baseId}`)).status).toBe(400);
  });
});

describe('template', () => {
  it('returns all properties', async () => {
    const { body: list } = await get('?filter=pumps');
    const [{ id }] = list.items;
    const { status, body } = await get(`/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual(list.items[0]);
    expect(body).toMatchObject({
      id,
      templateId: id,
      name: 'Pumps',
      public: true,
      summary: { flowCount: 0 },
    });
    expect((await get(`/${newId()}`)).body).toEqual({ type: 'NotFound', message: 'Template was not found' });
    expect((await get('/pumps')).status).toBe(400);
  });

  it('requires a user token', async () => {
    const { body } = await get('');
    const at = `/${body.items[0].id}`;
    const statuses = async (path: string) =>
      Promise.all(
        ['all.User.read', 'all.User.bounded', 'only.User', 'applicationTemplates.get', 'all.Application'].map(
          async (scope) => (await get(path, tokenOf(test, user.id, [scope]))).status,
        ),
      );
    expect(await statuses('')).toEqual([200, 403, 403, 200, 403]);
    expect(await statuses(at)).toEqual([200, 200, 200, 403, 403]);
    expect((await test.client.get('/applicationTemplates')).status).toBe(401);
  });
});
