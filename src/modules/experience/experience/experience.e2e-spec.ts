import { makeApplication, makeMember, makeOrg, uniqueName } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { experiencePasswords } from '../../../lib/crypto/passwords.js';

const { test, user, application } = suite({ PROCESS_ROLE: 'all' });
let path: string;
beforeEach(() => {
  path = `/applications/${application.id}/experience`;
});

const bootstrap = (options: object = {}, token = user.token) =>
  test.client.patch(`${path}/bootstrap`, options, { token });
const remove = (query = '', token = user.token) => test.client.delete(`${path}${query}`, { token });
const all = async (what: string): Promise<any[]> =>
  (await test.client.get(`${path}/${what}`, { token: user.token })).body.items;
const post = async (what: string, body: object) =>
  (await test.client.post(`${path}/${what}`, body, { token: user.token })).body;

/** Returns the number of resources of each kind. */
async function sizes() {
  const kinds = ['users', 'groups', 'views', 'endpoints', 'slugs', 'domains', 'versions'] as const;
  const found = await Promise.all(kinds.map(async (kind) => [kind, (await all(kind)).length] as const));
  return Object.fromEntries(found);
}
const MADE = { users: 1, groups: 1, views: 7, endpoints: 4 };

describe('An example experience', () => {
  it('has views, endpoints, a group and a user whose password is returned once', async () => {
    const { status, body } = await bootstrap();
    expect([status, body]).toEqual([
      200,
      { resourceSuffix: '', email: 'example@example.com', password: expect.any(String) },
    ]);
    const views = await all('views');
    const named = (name: string) => views.find((view) => view.name === name);
    const layout = named('Example layout');
    expect(views.filter(({ viewType }) => viewType === 'page').map(({ layoutId }) => layoutId)).toEqual(
      Array(3).fill(layout.id),
    );
    expect(layout.body).toContain('{{component "Example menu"}}');
    expect(named('Example menu').body).toContain('href="/login"');
    const [group] = await all('groups');
    const [made] = await all('users');
    const endpoints = await all('endpoints');
    const home = endpoints.find(({ route }) => route === '/');
    expect(home).toMatchObject({
      method: 'get',
      access: 'authenticated',
      staticReply: { type: 'page', value: named('Example home').id },
      unauthorizedReply: { type: 'redirect', value: '/login' },
    });
    expect(group).toMatchObject({ experienceUserIds: [made.id], experienceEndpointIds: [] });
    const { body: develop } = await test.client.get(`${path}/versions/develop`, { token: user.token });
    expect(develop.notFoundReply).toEqual({
      type: 'page',
      value: named('Example error').id,
      statusCode: 404,
    });
    const [row] = await test.dataSource.query<{ hash: string }[]>(
      'SELECT password_hash AS hash FROM experience_users WHERE id = $1',
      [made.id],
    );
    expect(await experiencePasswords.matches('test', row!.hash, body.password)).toBe(true);
    for (const shown of [made, group, develop, ...views, ...endpoints])
      expect(JSON.stringify(shown)).not.toContain(body.password);
  });

  it('uses other names when one exists, including with concurrent requests', async () => {
    const answers = await Promise.all([bootstrap(), bootstrap()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const suffixes = answers.map(({ body }) => body.resourceSuffix);
    expect(suffixes.filter((suffix) => suffix === '')).toHaveLength(1);
    expect(await sizes()).toMatchObject({ users: 2, groups: 2, views: 14, endpoints: 8 });
    const suffix = suffixes.find((one) => one !== '');
    const emails = (await all('users')).map(({ email }) => email);
    expect(emails).toContain(`example${suffix}@example.com`);
    const routes = (await all('endpoints')).map(({ route }) => route);
    expect(routes).toEqual(expect.arrayContaining([`/login${suffix}`, `/${suffix.slice(1)}`]));
  });

  it('replaces only existing resources with its names when requested', async () => {
    await bootstrap();
    const own = await post('views', { name: 'mine', viewType: 'page', body: 'mine' });
    const { body } = await bootstrap({ replaceExisting: true });
    expect(body.resourceSuffix).toBe('');
    expect(await sizes()).toMatchObject({ ...MADE, views: 8 });
    expect((await all('views')).map(({ id }) => id)).toContain(own.id);
  });

  it('omits the user and group and includes a slug when requested', async () => {
    const slug = uniqueName('slug').toLowerCase();
    const { body } = await bootstrap({ createUsers: false, createGroups: false, slug });
    expect(body).toEqual({ resourceSuffix: '' });
    expect(await sizes()).toMatchObject({ ...MADE, users: 0, groups: 0, slugs: 2 });
    expect((await all('slugs')).find((one) => one.slug === slug)).toMatchObject({ version: 'develop' });
  });

  it('is created completely or not at all', async () => {
    const slug = uniqueName('slug').toLowerCase();
    await bootstrap({ slug });
    const other = await makeApplication(test, user.token);
    path = `/applications/${other.id}/experience`;
    const { status, body } = await bootstrap({ slug });
    expect([status, body.type]).toEqual([400, 'Validation']);
    expect(await sizes()).toMatchObject({ users: 0, groups: 0, views: 0, endpoints: 0, slugs: 1 });
  });

  it.each([{ slug: 'A b' }, { createUsers: 'yes' }, { other: true }])(
    'is not created from %j',
    async (options) => {
      expect((await bootstrap(options)).status).toBe(400);
    },
  );
});

describe('An experience', () => {
  async function whole() {
    await bootstrap({ slug: uniqueName('slug').toLowerCase() });
    await post('versions', { version: 'v1' });
    expect(await sizes()).toEqual({ ...MADE, slugs: 2, domains: 0, versions: 2 });
  }

  it.each<[string, object]>([
    ['', { users: 0, groups: 0, views: 0, endpoints: 0, slugs: 1, domains: 0, versions: 2 }],
    ['?keepUsers=true', { users: 1, groups: 0 }],
    ['?keepGroups=true', { users: 0, groups: 1 }],
    ['?keepViews=true', { views: 7, endpoints: 0 }],
    ['?keepEndpoints=true', { views: 0, endpoints: 4 }],
    ['?keepSlugs=true&keepDomains=true', { slugs: 2 }],
    ['?removeVersions=true', { versions: 1, slugs: 1 }],
  ])('is deleted to the extent of %j', async (query, left) => {
    await whole();
    expect((await remove(query)).body).toEqual({ success: true });
    expect(await sizes()).toMatchObject(left);
  });

  it('is unchanged in its versions, and loses its workflows when requested', async () => {
    await whole();
    const flow = { name: uniqueName(), flowClass: 'experience' };
    const flows = `/applications/${application.id}/flows`;
    await test.client.post(flows, flow, { token: user.token });
    const count = async () =>
      (await test.client.get(`${flows}?flowClass=experience`, { token: user.token })).body.totalCount;
    await remove();
    expect(await count()).toBe(2);
    const { body } = await test.client.get(`${path}/views?version=v1`, { token: user.token });
    expect(body.totalCount).toBe(7);
    await remove('?removeWorkflows=true');
    // The version still contains the workflow of the example.
    expect(await count()).toBe(1);
  });

  it('is deleted by a job when it has many resources', async () => {
    await test.dataSource.query(
      `INSERT INTO experience_groups (id, creation_date, last_updated, application_id, name, group_tags, device_tags)
       SELECT left(md5($1 || n), 24), now(), now(), $1, 'g', '{}', '[]' FROM generate_series(1, 5001) n`,
      [application.id],
    );
    expect((await remove()).body).toEqual({ success: true });
    await waitUntil(async () => (await all('groups')).length === 0);
  });

  it('is created and deleted with the role collaborate', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    path = `/applications/${id}/experience`;
    for (const [role, expected] of [
      ['none', 404],
      ['view', 403],
      ['collaborate', 200],
    ] as const) {
      const { token } = await makeMember(test, org.id, role);
      expect((await bootstrap({}, token)).status).toBe(expected);
      expect((await remove('', token)).status).toBe(expected);
    }
  });
});
