import { makeApplication } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const { test, user, application } = suite();
let path: string;
beforeEach(() => {
  path = `/applications/${application.id}/experience/versions`;
});

const auth = () => ({ token: user.token });
const create = (body: object) => test.client.post(path, body, auth());
const get = (idOrName: string) => test.client.get(`${path}/${idOrName}`, auth());
const patch = (idOrName: string, body: object) => test.client.patch(`${path}/${idOrName}`, body, auth());
const remove = (idOrName: string) => test.client.delete(`${path}/${idOrName}`, auth());
const list = (query = '') => test.client.get(`${path}${query}`, auth());

describe('develop', () => {
  it('is created with the application and has its ID', async () => {
    const { status, body } = await get('develop');
    expect(status).toBe(200);
    expect(body).toEqual({
      id: application.id,
      experienceVersionId: application.id,
      applicationId: application.id,
      creationDate: application.creationDate,
      lastUpdated: application.creationDate,
      version: 'develop',
      endpointDefaultCors: false,
      allowedCorsOrigins: [],
      globals: [],
      responseHeaders: {},
      attachedDomains: [],
      attachedSlugs: expect.any(Array),
    });
    expect((await get(application.id)).body).toEqual(body);
  });

  it('allows other origins if the application was created with that setting', async () => {
    const other = await makeApplication(test, user.token, { endpointDefaultCors: true });
    const { body } = await test.client.get(`/applications/${other.id}/experience/versions/develop`, auth());
    expect(body.endpointDefaultCors).toBe(true);
  });

  it('can be updated, but not created or deleted', async () => {
    const changed = await patch('develop', { description: 'Next', endpointDefaultCors: true });
    expect(changed.body).toMatchObject({
      description: 'Next',
      endpointDefaultCors: true,
      version: 'develop',
      lastUpdatedById: user.id,
    });
    const refused = 'experienceVersion develop cannot be deleted';
    for (const name of ['develop', application.id])
      expect((await remove(name)).body).toEqual({ type: 'Validation', message: refused });
    const made = 'experienceVersion.version must not be develop or have the form of an ID';
    for (const version of ['develop', newId(), application.id.toUpperCase()])
      expect((await create({ version })).body).toEqual({ type: 'Validation', message: made });
  });

  it('is listed, but not part of summaries', async () => {
    await create({ version: 'v1' });
    await create({ version: 'a' });
    const { body } = await list();
    expect(body).toMatchObject({
      count: 3,
      totalCount: 3,
      applicationId: application.id,
    });
    expect(body.items.map(({ version }: any) => version)).toEqual(['a', 'develop', 'v1']);
    expect((await list('?perPage=1&page=1')).body).toMatchObject({
      items: [{ version: 'develop' }],
      totalCount: 3,
    });
    expect((await list('?filterField=version&filter=V*')).body).toMatchObject({
      items: [{ version: 'v1' }],
      totalCount: 1,
    });
    const summary = `/applications/${application.id}?summaryInclude=experienceVersionCount`;
    expect((await test.client.get(summary, auth())).body.summary).toEqual({ experienceVersionCount: 2 });
  });
});

describe('A version', () => {
  it('is created, returned by ID and name, updated and deleted', async () => {
    const { status, body: version } = await create({ version: 'v1 / é', description: 'First' });
    expect(status).toBe(201);
    expect(version).toMatchObject({ version: 'v1 / é', description: 'First', createdById: user.id });
    const name = encodeURIComponent('v1 / é');
    for (const each of [version.id, version.id.toUpperCase(), name])
      expect((await get(each)).body).toEqual(version);
    const changed = await patch(name, { description: 'The first' });
    expect(changed.body).toEqual({
      ...version,
      description: 'The first',
      lastUpdated: expect.any(String),
    });
    expect((await remove(name)).body).toEqual({ success: true });
    for (const answer of [await get(version.id), await patch(name, {}), await remove(version.id)])
      expect(answer).toMatchObject({ status: 404, body: { message: 'Experience version was not found' } });
  });

  it('copies omitted settings from develop and keeps them', async () => {
    const settings = {
      endpointDefaultCors: true,
      allowedCorsOrigins: ['https://pumps.example.com'],
      globals: [{ key: 'region', json: '"eu"', description: 'Where' }],
      notFoundReply: { type: 'page', value: newId(), statusCode: 404 },
      unauthorizedReply: { type: 'redirect', value: '/sign-in' },
      responseHeaders: { 'x-frame-options': 'DENY' },
    };
    expect((await patch('develop', { description: 'Next', ...settings })).body).toMatchObject(settings);
    const given = { globals: [{ key: 'region', json: '"us"' }], notFoundReply: null };
    const { body: version } = await create({ version: 'v1', ...given });
    const { notFoundReply: _, ...kept } = settings;
    expect(version).toMatchObject({ ...kept, globals: given.globals });
    expect(version).not.toHaveProperty('notFoundReply');
    expect(version).not.toHaveProperty('description');
    await patch('develop', { endpointDefaultCors: false, globals: [], responseHeaders: {} });
    expect((await get('v1')).body).toEqual(version);
    await patch('v1', { unauthorizedReply: null, allowedCorsOrigins: [] });
    expect((await get('develop')).body).toMatchObject({ unauthorizedReply: settings.unauthorizedReply });
    expect((await get('v1')).body).not.toHaveProperty('unauthorizedReply');
  });

  it('has a unique name, including with concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => create({ version: 'v1' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    const refused = answers.find(({ status }) => status === 400)!;
    expect(refused.body.message).toBe('experienceVersion.version is not available');
    const other = await makeApplication(test, user.token);
    const elsewhere = `/applications/${other.id}/experience/versions`;
    expect((await test.client.post(elsewhere, { version: 'v1' }, auth())).status).toBe(201);
    expect((await test.client.get(`${elsewhere}/${answers[0]!.body.id ?? newId()}`, auth())).status).toBe(
      404,
    );
  });

  it.each<[object, string]>([
    [{}, 'experienceVersion.version is required'],
    [{ version: '' }, 'experienceVersion.version must have at least 1 characters'],
    [{ version: 'v', name: 'v' }, 'experienceVersion.name is not a property of experienceVersion'],
    [
      { version: 'v', globals: ['a', 'a'].map((key) => ({ key, json: '1' })) },
      'experienceVersion.globals.1.key "a" is a duplicate',
    ],
    [
      { version: 'v', globals: [{ key: 'a', json: '{' }] },
      'experienceVersion.globals.0.json must be JSON as text',
    ],
    [
      { version: 'v', allowedCorsOrigins: ['https://a.example', 'pumps.example'] },
      'experienceVersion.allowedCorsOrigins.1 must be an origin such as https://example.com',
    ],
    [
      { version: 'v', responseHeaders: { 'x a': 'b' } },
      'experienceVersion.responseHeaders "x a" is not a valid header',
    ],
    [
      { version: 'v', responseHeaders: { 'x-a': 'b\r\nset-cookie: c' } },
      'experienceVersion.responseHeaders "x-a" is not a valid header',
    ],
    [{ version: 'v', notFoundReply: { type: 'page' } }, 'experienceVersion.notFoundReply.value is required'],
  ])('is not created from %j', async (body, message) => {
    expect((await create(body)).body).toEqual({ type: 'Validation', message });
    expect((await list()).body.totalCount).toBe(1);
  });

  it('cannot be renamed, and has no source unless it is develop', async () => {
    await create({ version: 'v1' });
    const refusedName = await patch('v1', { version: 'v2' });
    expect(refusedName.body.message).toBe('experienceVersion.version is not a property of experienceVersion');
    const refused = 'experienceVersion.sourceVersionIdOrName is supported only for develop';
    expect((await patch('v1', { sourceVersionIdOrName: 'develop' })).body.message).toBe(refused);
    const none = 'experienceVersion.sourceVersionIdOrName must be another version of the experience';
    for (const sourceVersionIdOrName of ['v2', newId(), 'develop', application.id])
      expect((await patch('develop', { sourceVersionIdOrName })).body.message).toBe(none);
  });
});
