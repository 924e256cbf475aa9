import { makeApplication, makeMember, makeOrg, tokenOf, uniqueName } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const TAKEN = { type: 'Validation', message: 'experienceSlug.slug is not available' };

const { test, user, application } = suite();
let path: string;
beforeEach(() => {
  path = `/applications/${application.id}/experience/slugs`;
});

const create = (body: object, token = user.token) => test.client.post(path, body, { token });
const patch = (id: string, body: object) => test.client.patch(`${path}/${id}`, body, { token: user.token });
const remove = (id: string) => test.client.delete(`${path}/${id}`, { token: user.token });
const list = async (token = user.token) => (await test.client.get(path, { token })).body;
const slugs = async () => (await list()).items.map(({ slug }: { slug: string }) => slug);
const endpointSlug = async (): Promise<string | undefined> =>
  (await test.client.get(`/applications/${application.id}`, { token: user.token })).body.endpointSlug;
const chooseSlug = (slug: string, id = application.id) =>
  test.client.patch(`/applications/${id}`, { endpointSlug: slug }, { token: user.token });
const makeVersion = async (version: string): Promise<{ id: string }> => {
  const at = `/applications/${application.id}/experience/versions`;
  const { status, body } = await test.client.post(at, { version }, { token: user.token });
  expect(status).toBe(201);
  return body;
};

describe('A slug of an experience', () => {
  it('is created pointing to develop, returned, updated and deleted', async () => {
    const slug = uniqueName('slug');
    const { status, body } = await create({ slug });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      experienceSlugId: body.id,
      applicationId: application.id,
      creationDate: body.creationDate,
      lastUpdated: body.creationDate,
      slug,
      version: 'develop',
    });
    const changed = await patch(body.id, { slug: `${slug}-2` });
    expect(changed.body).toEqual({ ...body, slug: `${slug}-2`, lastUpdated: expect.any(String) });
    expect((await test.client.get(`${path}/${body.id}`, { token: user.token })).body).toEqual(changed.body);
    expect((await create({ slug })).status).toBe(201);
    expect((await remove(body.id)).body).toEqual({ success: true });
    expect((await test.client.get(`${path}/${body.id}`, { token: user.token })).status).toBe(404);
  });

  it('points to versions by name and ID, to none, and to none after the version is deleted', async () => {
    const { id: versionId } = await makeVersion('v1');
    const { body } = await create({ slug: uniqueName('slug'), version: 'v1' });
    expect(body.version).toBe('v1');
    expect((await patch(body.id, { version: null })).body).not.toHaveProperty('version');
    expect((await patch(body.id, { version: versionId.toUpperCase() })).body.version).toBe('v1');
    expect((await patch(body.id, {})).body.version).toBe('v1');
    const versions = `/applications/${application.id}/experience/versions`;
    expect((await test.client.delete(`${versions}/v1`, { token: user.token })).status).toBe(200);
    const { body: after } = await test.client.get(`${path}/${body.id}`, { token: user.token });
    expect(after).not.toHaveProperty('version');
    expect((await create({ slug: uniqueName('slug'), version: null })).body).not.toHaveProperty('version');
  });

  it('cannot point to a version that its application does not have', async () => {
    const other = await makeApplication(test, user.token);
    for (const version of ['v9', newId(), other.id]) {
      const { status, body } = await create({ slug: uniqueName('slug'), version });
      const message = 'experienceSlug.version does not match a version of the application';
      expect([status, body]).toEqual([400, { type: 'Validation', message }]);
    }
  });

  it('is unique on the platform, including with concurrent requests', async () => {
    const slug = uniqueName('slug');
    const others = await Promise.all([1, 2, 3, 4].map(() => makeApplication(test, user.token)));
    const answers = await Promise.all(
      [application, ...others].map(({ id }) =>
        test.client.post(`/applications/${id}/experience/slugs`, { slug }, { token: user.token }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)!.body).toEqual(TAKEN);
    const { body } = await create({ slug: uniqueName('slug') });
    const answer = await patch(body.id, { slug });
    expect([answer.status, answer.body]).toEqual([400, TAKEN]);
  });

  it.each([
    [{}, 'experienceSlug.slug is required'],
    [{ slug: 'ab' }, 'experienceSlug.slug must have at least 3 characters'],
    [{ slug: 'a'.repeat(64) }, 'experienceSlug.slug must have at most 63 characters'],
    [{ slug: 'Pumps' }, 'experienceSlug.slug'],
    [{ slug: 'a.b' }, 'experienceSlug.slug'],
    [{ slug: 'abc\n' }, 'experienceSlug.slug'],
    [{ slug: '0123456789abcdef01234567' }, 'experienceSlug.slug must not have the form of an ID'],
    [{ slug: 'abc', version: '' }, 'experienceSlug.version must have at least 1 characters'],
    [{ slug: 'abc', versionId: newId() }, 'experienceSlug.versionId is not a property of experienceSlug'],
  ])('is not created from %j', async (body, message) => {
    const answer = await create(body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('A version of an experience', () => {
  const at = () => `/applications/${application.id}/experience/versions`;
  const attachedTo = async (version: string) =>
    (await test.client.get(`${at()}/${version}`, { token: user.token })).body.attachedSlugs;

  it('returns the slugs that point to it, and can be created with slugs and domains', async () => {
    const org = await makeOrg(test, user.token);
    Object.assign(application, await makeApplication(test, user.token, { orgId: org.id }));
    path = `/applications/${application.id}/experience/slugs`;
    const own = { id: application.id, slug: application.id };
    const made = (await create({ slug: `zz-${uniqueName()}` })).body;
    const other = { id: made.id, slug: made.slug };
    expect(await attachedTo('develop')).toEqual([own, other]);
    const domainName = `${uniqueName('d')}.example.com`;
    const domains = `/applications/${application.id}/experience/domains`;
    const { body: domain } = await test.client.post(domains, { domainName }, { token: user.token });
    const body = { version: 'v1', slugIds: [made.id.toUpperCase()], domainIds: [domain.id] };
    const { status, body: version } = await test.client.post(at(), body, { token: user.token });
    expect([status, version.attachedSlugs, version.attachedDomains]).toEqual([
      201,
      [other],
      [{ id: domain.id, domainName }],
    ]);
    expect(await attachedTo('develop')).toEqual([own]);
    expect((await test.client.get(`${path}/${made.id}`, { token: user.token })).body.version).toBe('v1');
    expect((await patch(made.id, { version: null })).status).toBe(200);
    expect(await attachedTo('v1')).toEqual([]);
  });

  it('cannot be created with slugs and domains of another application', async () => {
    const elsewhere = await makeApplication(test, user.token);
    for (const [name, ids] of [
      ['slugIds', [application.id, elsewhere.id]],
      ['domainIds', [newId()]],
    ] as const) {
      const answer = await test.client.post(at(), { version: 'v1', [name]: ids }, { token: user.token });
      const message = `experienceVersion.${name}.${ids.length - 1} does not exist in the application`;
      expect([answer.status, answer.body.message]).toEqual([400, message]);
    }
    expect((await test.client.get(`${at()}/v1`, { token: user.token })).status).toBe(404);
    expect(await attachedTo('develop')).toHaveLength(1);
    expect(
      (await test.client.get(`/applications/${elsewhere.id}/experience/slugs`, { token: user.token })).body
        .items[0].version,
    ).toBe('develop');
  });
});

describe('The default slug of an application', () => {
  it('exists from the start, points to develop and has the ID of the application', async () => {
    const own = (await test.client.get(`${path}/${application.id}`, { token: user.token })).body;
    expect(own).toMatchObject({ id: application.id, slug: application.id, version: 'develop' });
    expect(await list()).toEqual({
      items: [own],
      count: 1,
      totalCount: 1,
      applicationId: application.id,
    });
  });

  it('can point to another version, but cannot be renamed or deleted', async () => {
    await makeVersion('v1');
    expect((await patch(application.id, { version: 'v1' })).body.version).toBe('v1');
    const renamed = await patch(application.id, { slug: uniqueName('slug') });
    expect([renamed.status, renamed.body.message]).toEqual([
      400,
      'experienceSlug is the ID of the application, which cannot be changed',
    ]);
    const deleted = await remove(application.id);
    expect([deleted.status, deleted.body.message]).toEqual([
      400,
      'experienceSlug is the ID of the application, which cannot be deleted',
    ]);
    expect(await slugs()).toEqual([application.id]);
  });

  it('cannot be used by another application', async () => {
    const other = await makeApplication(test, user.token);
    expect((await create({ slug: other.id })).status).toBe(400);
    const answer = await chooseSlug(newId());
    expect([answer.status, answer.body.message]).toEqual([
      400,
      'application.endpointSlug must not have the form of an ID',
    ]);
  });
});

describe('The endpointSlug of an application', () => {
  it('is always one of its slugs, whichever of the two changes', async () => {
    const slug = uniqueName('slug');
    const made = await makeApplication(test, user.token, { endpointSlug: slug });
    Object.assign(application, made);
    path = `/applications/${application.id}/experience/slugs`;
    expect((await slugs()).sort()).toEqual([application.id, slug].sort());
    const { id, version } = (await list()).items.find((each: { slug: string }) => each.slug === slug);
    expect(version).toBe('develop');
    expect((await chooseSlug(`${slug}-2`)).status).toBe(200);
    const own = await test.client.get(`${path}/${id}`, { token: user.token });
    expect(own.body.slug).toBe(`${slug}-2`);
    expect((await patch(id, { slug: `${slug}-3` })).status).toBe(200);
    expect(await endpointSlug()).toBe(`${slug}-3`);
    expect((await remove(id)).status).toBe(200);
    expect(await endpointSlug()).toBeUndefined();
    expect((await chooseSlug(slug)).status).toBe(200);
    expect(await slugs()).toContain(slug);
  });

  it('is rejected when the slug exists, and released when the application is deleted', async () => {
    const slug = uniqueName('slug');
    const other = await makeApplication(test, user.token, { endpointSlug: slug });
    expect((await create({ slug })).body).toEqual(TAKEN);
    const mine = uniqueName('slug');
    await create({ slug: mine });
    const refused = await chooseSlug(mine, other.id);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'application.endpointSlug is not available',
    ]);
    const post = await test.client.post(
      '/applications',
      { name: 'n', endpointSlug: mine },
      { token: user.token },
    );
    expect([post.status, post.body.message]).toEqual([400, 'application.endpointSlug is not available']);
    await test.client.delete(`/applications/${other.id}`, { token: user.token });
    expect((await create({ slug })).status).toBe(201);
  });

  it('stays equal to its slug when both change concurrently', async () => {
    const slug = uniqueName('slug');
    expect((await chooseSlug(slug)).status).toBe(200);
    const { id } = (await list()).items.find((each: { slug: string }) => each.slug === slug);
    const changes = Array.from({ length: 6 }, (_, i) =>
      i % 2 ? chooseSlug(`${slug}-${i}`) : patch(id, { slug: `${slug}-${i}` }),
    );
    const statuses = new Set((await Promise.all(changes)).map(({ status }) => status));
    expect([...statuses]).toEqual([200]);
    const chosen = await endpointSlug();
    expect((await slugs()).sort()).toEqual([application.id, chosen].sort());
  });
});

describe('The slugs of an application', () => {
  it('are all listed, sorted by name', async () => {
    const names = ['b', 'c', 'a'].map((name) => `zz-${name}-${uniqueName()}`);
    for (const slug of names) await create({ slug });
    const { items, ...envelope } = await list();
    expect(items.map(({ slug }: { slug: string }) => slug)).toEqual([application.id, ...names.sort()]);
    expect(envelope).toEqual({ count: 4, totalCount: 4, applicationId: application.id });
  });

  it('require view to read and collaborate to write', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    path = `/applications/${id}/experience/slugs`;
    const statuses = await Promise.all(
      (['none', 'view', 'collaborate'] as const).map(async (role) => {
        const { token } = await makeMember(test, org.id, role);
        const read = await test.client.get(path, { token });
        return [read.status, (await create({ slug: uniqueName('slug') }, token)).status];
      }),
    );
    expect(statuses).toEqual([
      [404, 404],
      [200, 403],
      [200, 201],
    ]);
  });

  it.each([
    [undefined, 401, 401],
    ['experienceSlugs.get', 200, 403],
    ['experienceSlugs.*', 200, 201],
    ['experienceSlug.get', 403, 403],
    ['all.Application.cli', 200, 403],
    ['all.Application.bounded', 200, 201],
  ])('return, with the scope %s, %i on reads and %i on writes', async (scope, read, written) => {
    const token = scope && tokenOf(test, user.id, [scope]);
    expect((await test.client.get(path, { token })).status).toBe(read);
    expect((await test.client.post(path, { slug: uniqueName('slug') }, { token })).status).toBe(written);
  });
});
