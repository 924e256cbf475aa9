import { makeApplication } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const { test, user, application } = suite();
let path: string;
beforeEach(() => {
  path = `/applications/${application.id}/experience/views`;
});

const auth = () => ({ token: user.token });
const create = (body: object) => test.client.post(path, { viewType: 'page', ...body }, auth());
const get = (id: string, query = '') => test.client.get(`${path}/${id}${query}`, auth());
const patch = (id: string, body: object) => test.client.patch(`${path}/${id}`, body, auth());
const remove = (id: string) => test.client.delete(`${path}/${id}`, auth());
const list = (query = '') => test.client.get(`${path}${query}`, auth());
const namesIn = ({ body }: { body: any }) => body.items.map(({ name }: any) => name);

async function made(body: object): Promise<any> {
  const answer = await create(body);
  expect(answer.status).toBe(201);
  return answer.body;
}

describe('A view of an experience', () => {
  it('is created, returned, updated and deleted', async () => {
    const body = {
      name: 'Alarms',
      viewType: 'page',
      description: 'All of them',
      body: '<h1>{{pageData.title}}</h1>',
      headers: { 'content-type': 'text/html' },
      viewTags: { area: 'north' },
    };
    const view = await made(body);
    expect(view).toEqual({
      ...body,
      id: view.id,
      experienceViewId: view.id,
      applicationId: application.id,
      creationDate: view.lastUpdated,
      lastUpdated: expect.any(String),
      createdById: user.id,
      createdByType: 'user',
      lastUpdatedById: user.id,
      lastUpdatedByType: 'user',
    });
    const changes = { name: 'Alarm', body: '', headers: {}, viewTags: {} };
    const changed = await patch(view.id, changes);
    expect(changed.body).toEqual({ ...view, ...changes, lastUpdated: expect.any(String) });
    expect((await get(view.id)).body).toEqual(changed.body);
    expect((await remove(view.id)).body).toEqual({ success: true });
    for (const answer of [await get(view.id), await patch(view.id, {}), await remove(view.id)])
      expect(answer).toMatchObject({ status: 404, body: { message: 'Experience view was not found' } });
  });

  it('is empty by default', async () => {
    expect(await made({ name: 'a', viewType: 'component' })).toMatchObject({
      body: '',
      headers: {},
      viewTags: {},
    });
  });

  it('has a unique name among views of its type, including with concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => create({ name: 'a' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    const refused = answers.find(({ status }) => status === 400)!;
    expect(refused.body.message).toBe('experienceView.name is not available');
    expect((await create({ name: 'a', viewType: 'layout' })).status).toBe(201);
    const other = await made({ name: 'b' });
    expect((await patch(other.id, { name: 'a' })).body.message).toBe(refused.body.message);
  });

  it.each<[object, string]>([
    [{}, 'experienceView.name is required'],
    [{ name: 'a', viewType: 'mail' }, 'experienceView.viewType must be one of layout, page, component'],
    [{ name: 'a', body: 'x'.repeat(131_073) }, 'experienceView.body must have at most 131072 characters'],
    [
      { name: 'a', viewTags: { 'a b': 'c' } },
      'experienceView.viewTags has an invalid key: only letters, digits, _ and - are allowed',
    ],
    [
      { name: 'a', headers: { 'content-type': 'text/html\nx: y' } },
      'experienceView.headers.content-type is not a valid header',
    ],
    [
      { name: 'a', headers: { etag: 'x' } },
      'experienceView.headers.etag is not a property of experienceView.headers',
    ],
  ])('is not created from %j', async (body, message) => {
    expect((await create(body)).body).toEqual({ type: 'Validation', message });
  });

  it('cannot change its type', async () => {
    const view = await made({ name: 'a' });
    const { body } = await patch(view.id, { viewType: 'layout' });
    expect(body.message).toBe('experienceView.viewType is not a property of experienceView');
  });
});

describe('A page', () => {
  it('has a layout, returned with its name, until it is removed or the layout is deleted', async () => {
    const layout = await made({ name: 'frame', viewType: 'layout' });
    const page = await made({ name: 'a', layoutId: layout.id.toUpperCase() });
    expect(page).toMatchObject({ layoutId: layout.id, layoutName: 'frame' });
    await patch(layout.id, { name: 'frames' });
    expect((await get(page.id)).body.layoutName).toBe('frames');
    expect((await list('?filterField=name&filter=a')).body.items).toMatchObject([{ layoutName: 'frames' }]);
    const out = await patch(page.id, { layoutId: null });
    expect(out.body).not.toHaveProperty('layoutId');
    expect(out.body).not.toHaveProperty('layoutName');
    expect((await patch(page.id, { layoutId: layout.id })).body.layoutName).toBe('frames');
    await remove(layout.id);
    const left = await get(page.id);
    expect(left.status).toBe(200);
    expect(left.body).not.toHaveProperty('layoutId');
  });

  it('can only have a layout of its application, and other views cannot have one', async () => {
    const page = await made({ name: 'a' });
    const other = await makeApplication(test, user.token);
    const strange = await test.client.post(
      `/applications/${other.id}/experience/views`,
      { name: 'frame', viewType: 'layout' },
      auth(),
    );
    const none = 'experienceView.layoutId is not a layout of the application';
    for (const layoutId of [strange.body.id, page.id, newId()]) {
      expect((await create({ name: 'b', layoutId })).body.message).toBe(none);
      expect((await patch(page.id, { layoutId })).body.message).toBe(none);
    }
    const pages = 'experienceView.layoutId is supported only for pages';
    const layout = await made({ name: 'frame', viewType: 'layout' });
    expect((await create({ name: 'c', viewType: 'component', layoutId: layout.id })).body.message).toBe(
      pages,
    );
    expect((await patch(layout.id, { layoutId: layout.id })).body.message).toBe(pages);
  });

  it('never has a layout that is deleted concurrently', async () => {
    for (let i = 0; i < 5; i++) {
      const layout = await made({ name: `frame ${i}`, viewType: 'layout' });
      const [page] = await Promise.all([
        create({ name: `page ${i}`, layoutId: layout.id }),
        remove(layout.id),
      ]);
      if (page.status === 201) expect((await get(page.body.id)).body).not.toHaveProperty('layoutId');
      else expect(page.body.message).toBe('experienceView.layoutId is not a layout of the application');
    }
  });
});

describe('The views of an experience', () => {
  it('are listed by name in pages, of all types or one, sorted and filtered', async () => {
    for (const [name, viewType] of [
      ['pump b', 'page'],
      ['valve', 'page'],
      ['frame', 'layout'],
      ['pump a', 'page'],
    ])
      await made({ name, viewType });
    const all = await list();
    expect(namesIn(all)).toEqual(['frame', 'pump a', 'pump b', 'valve']);
    expect(all.body).toMatchObject({ totalCount: 4, applicationId: application.id });
    expect(all.body).not.toHaveProperty('viewType');
    const pages = await list('?viewType=page&sortField=creationDate&sortDirection=desc&perPage=2');
    expect(namesIn(pages)).toEqual(['pump a', 'valve']);
    expect(pages.body).toMatchObject({ totalCount: 3, viewType: 'page' });
    const found = await list('?viewType=page&filterField=name&filter=PUMP*');
    expect(namesIn(found)).toEqual(['pump a', 'pump b']);
    expect(found.body.totalCount).toBe(2);
    expect((await list('?viewType=mail')).status).toBe(400);
  });

  it('of a version are listed by its name or ID, as they were at the time of the snapshot', async () => {
    const layout = await made({ name: 'frame', viewType: 'layout' });
    const page = await made({ name: 'a', body: 'first', layoutId: layout.id });
    await made({ name: 'b', viewType: 'component' });
    const versions = `/applications/${application.id}/experience/versions`;
    const { body: version } = await test.client.post(versions, { version: 'v1' }, auth());
    const before = await list();
    await patch(layout.id, { name: 'other' });
    await patch(page.id, { body: 'second', name: 'z' });
    await made({ name: 'c' });
    await remove(layout.id);
    const kept = await list('?version=v1');
    expect(kept.body).toEqual(before.body);
    expect((await list(`?version=${version.id.toUpperCase()}`)).body).toEqual(kept.body);
    expect(namesIn(await list())).toEqual(['b', 'c', 'z']);
    expect((await list('?version=v1&viewType=layout&sortField=lastUpdated')).body).toMatchObject({
      items: [{ id: layout.id, name: 'frame' }],
      totalCount: 1,
      viewType: 'layout',
    });
    expect(namesIn(await list('?version=v1&filterField=name&filter=A'))).toEqual(['a']);
    expect((await get(page.id, '?version=v1')).body).toEqual(page);
    expect((await get(layout.id, `?version=${version.id}`)).body).toEqual(layout);
    expect((await get(layout.id)).status).toBe(404);
    expect((await get(page.id, `?version=develop`)).body.body).toBe('second');
    for (const answer of [await list('?version=v2'), await get(page.id, `?version=${newId()}`)])
      expect(answer).toMatchObject({ status: 404, body: { message: 'Experience version was not found' } });
    await test.client.delete(`${versions}/v1`, auth());
    expect((await get(page.id, '?version=v1')).status).toBe(404);
    const [left] = await test.dataSource.query(
      'SELECT count(*)::int AS n FROM experience_view_versions WHERE application_id = $1',
      [application.id],
    );
    expect(left).toEqual({ n: 0 });
  });

  it('of a version return 404 for another application', async () => {
    const page = await made({ name: 'a' });
    const versions = `/applications/${application.id}/experience/versions`;
    const { body: version } = await test.client.post(versions, { version: 'v1' }, auth());
    const other = await makeApplication(test, user.token);
    const elsewhere = `/applications/${other.id}/experience/views`;
    for (const query of [`?version=${version.id}`, '?version=v1', `/${page.id}?version=${version.id}`])
      expect((await test.client.get(`${elsewhere}${query}`, auth())).status).toBe(404);
  });
});
