import {
  makeApplication,
  makeMember,
  makeOrg,
  makeUser,
  uniqueName,
  type TestUser,
} from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const GLOBALS = [
  { key: 'region', json: '"eu"', description: 'Where', cloudOnly: true },
  { key: 'limits', json: '{"high":[1,2,{"deep":null}]}' },
];

describe('POST /applications', () => {
  const { test } = suite();
  let user: TestUser;
  beforeAll(async () => {
    user = await makeUser(test);
  });

  const post = (body: unknown, token = user.token) => test.client.post('/applications', body, { token });

  it('requires only a name and sets the other properties', async () => {
    const { status, body } = await post({ name: 'Pump station' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      applicationId: body.id,
      creationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      lastUpdated: body.creationDate,
      ownerId: user.id,
      ownerType: 'user',
      name: 'Pump station',
      summary: {
        deviceCount: 0,
        deviceRecipeCount: 0,
        eventCount: 0,
        flowCount: 0,
        keyCount: 0,
        webhookCount: 0,
      },
    });
    expect((await test.client.get(`/applications/${body.id}`, { token: user.token })).body).toEqual(body);
  });

  it('stores every property that can be set', async () => {
    const org = await makeOrg(test, user.token, { iconColor: '#123456' });
    const given = {
      name: 'Ünïcode 😀 "quoted" \\ \n',
      description: '',
      globals: GLOBALS,
      endpointDefaultCors: false,
      endpointSlug: uniqueName('slug'),
      blobUrlTTL: 3600,
      appliedTemplateIds: [newId(), newId()],
    };
    const { status, body } = await post({
      ...given,
      expUserTokenCutoff: '2026-06-13T06:00:00.5+02:00',
      orgId: org.id.toUpperCase(),
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...given,
      expUserTokenCutoff: '2026-06-13T04:00:00.500Z',
      ownerId: org.id,
      ownerType: 'organization',
      organizationName: org.name,
      organizationIconColor: '#123456',
    });
    expect((await test.client.get(`/applications/${body.id}`, { token: user.token })).body).toEqual(body);
  });

  it('returns the requested summary', async () => {
    const asked = await test.client.post(
      '/applications?summaryInclude=flowCount,fileCount',
      { name: 'x' },
      { token: user.token },
    );
    expect(asked.body.summary).toEqual({ flowCount: 0, fileCount: 0 });
    const unknown = await test.client.post(
      '/applications?summaryInclude=x',
      { name: 'x' },
      { token: user.token },
    );
    expect(unknown.status).toBe(400);
  });

  it('accepts values at their limits, counted in characters', async () => {
    for (const body of [
      { name: '😀'.repeat(255) },
      { name: 'n', description: 'é'.repeat(1024) },
      { name: 'n', blobUrlTTL: 604800 },
      { name: 'n', globals: [{ key: 'k'.repeat(255), json: `"${'x'.repeat(32765)}"` }] },
      { name: 'n', globals: Array.from({ length: 100 }, (_, i) => ({ key: `k${i}`, json: 'null' })) },
      { name: 'n', globals: [{ key: 'constructor', json: '1' }] },
      { name: 'n', expUserTokenCutoff: '9999-12-31T23:59:59Z' },
      { name: 'n', expUserTokenCutoff: '0001-01-01T00:00:00.000Z' },
    ]) {
      const answer = await post(body);
      expect(answer.status).toBe(201);
      expect(JSON.parse(JSON.stringify(answer.body))).toMatchObject({ name: body.name });
    }
  });

  describe('with an orgId', () => {
    it.each([
      ['none', 404],
      ['view', 403],
      ['collaborate', 403],
      ['edit', 201],
      ['admin', 201],
    ] as const)('called by a member with the role %s returns %i', async (role, expected) => {
      const org = await makeOrg(test, user.token);
      const { token } = await makeMember(test, org.id, role);
      const { status } = await post({ name: 'ours', orgId: org.id }, token);
      expect(status).toBe(expected);
      const { body } = await test.client.get(`/applications?orgId=${org.id}`, { token: user.token });
      expect(body.totalCount).toBe(expected === 201 ? 1 : 0);
    });

    it('returns the same 404 if the organization does not exist, is inaccessible, or is not an organization', async () => {
      const { token } = await makeUser(test);
      const org = await makeOrg(test, token);
      for (const orgId of [newId(), org.id, user.id]) {
        const { status, body } = await post({ name: 'x', orgId });
        expect({ status, body }).toEqual({
          status: 404,
          body: { type: 'NotFound', message: 'Organization was not found' },
        });
      }
    });
  });

  describe('rejects an application', () => {
    let refused: TestUser;
    beforeAll(async () => {
      refused = await makeUser(test);
    });

    const global = { key: 'k', json: '1' };
    it.each<[string, string, unknown]>([
      ['without a name', 'name', {}],
      ['with an empty name', 'name', { name: '' }],
      ['with a name of null', 'name', { name: null }],
      ['with a name of a number', 'name', { name: 5 }],
      ['with an operator for a name', 'name', { name: { $gt: '' } }],
      ['with a long name', 'name', { name: 'x'.repeat(256) }],
      ['with a description of null', 'description', { name: 'n', description: null }],
      ['with a long description', 'description', { name: 'n', description: 'x'.repeat(1025) }],
      ['with an unknown property', 'color', { name: 'n', color: 'red' }],
      ['with toString', 'toString', { name: 'n', toString: 'x' }],
      ['with an id', 'id', { name: 'n', id: newId() }],
      ['with an owner', 'ownerId', { name: 'n', ownerId: newId() }],
      ['with dates', 'creationDate', { name: 'n', creationDate: '2026-01-01T00:00:00.000Z' }],
      ['with a hidden column', 'deletedAt', { name: 'n', deletedAt: '2026-01-01T00:00:00.000Z' }],
      ['with a readme', 'readme', { name: 'n', readme: 'x' }],
      ['with tours', 'ftueTracking', { name: 'n', ftueTracking: [] }],
      ['with text for a boolean', 'endpointDefaultCors', { name: 'n', endpointDefaultCors: 'true' }],
      ['with a short slug', 'endpointSlug', { name: 'n', endpointSlug: 'ab' }],
      ['with a slug in capitals', 'endpointSlug', { name: 'n', endpointSlug: 'ABC' }],
      ['with a slug that ends its line', 'endpointSlug', { name: 'n', endpointSlug: 'abc\n' }],
      ['with a long slug', 'endpointSlug', { name: 'n', endpointSlug: 'a'.repeat(64) }],
      ['with no time', 'expUserTokenCutoff', { name: 'n', expUserTokenCutoff: 'today' }],
      [
        'with a day that does not exist',
        'expUserTokenCutoff',
        { name: 'n', expUserTokenCutoff: '2026-02-30T00:00:00Z' },
      ],
      [
        'with a time past the years',
        'expUserTokenCutoff',
        { name: 'n', expUserTokenCutoff: '9999-12-31T23:59:59-12:00' },
      ],
      ['with a number for a time', 'expUserTokenCutoff', { name: 'n', expUserTokenCutoff: 0 }],
      ['with short-lived links', 'blobUrlTTL', { name: 'n', blobUrlTTL: 3599 }],
      ['with half seconds', 'blobUrlTTL', { name: 'n', blobUrlTTL: 3600.5 }],
      ['with text for a number', 'blobUrlTTL', { name: 'n', blobUrlTTL: '3600' }],
      ['with no ids of templates', 'appliedTemplateIds.0', { name: 'n', appliedTemplateIds: ['x'] }],
      [
        'with a template that is not there',
        'applicationTemplateId',
        { name: 'n', applicationTemplateId: newId() },
      ],
      ['with no id of an organization', 'orgId', { name: 'n', orgId: 'x' }],
      ['with a blank organization', 'orgId', { name: 'n', orgId: '' }],
      ['with globals that are no list', 'globals', { name: 'n', globals: {} }],
      [
        'with a global that is no JSON',
        'globals.1.json',
        { name: 'n', globals: [global, { key: 'x', json: 'eu' }] },
      ],
      ['with a global without a value', 'globals.0.json', { name: 'n', globals: [{ key: 'k' }] }],
      ['with a global of null', 'globals.0.json', { name: 'n', globals: [{ key: 'k', json: null }] }],
      ['with a global of a number', 'globals.0.json', { name: 'n', globals: [{ key: 'k', json: 1 }] }],
      [
        'with a long global',
        'globals.0.json',
        { name: 'n', globals: [{ key: 'k', json: `"${'x'.repeat(32766)}"` }] },
      ],
      ['with the same key twice', 'globals.1.key', { name: 'n', globals: [global, global] }],
      ['with an odd key', 'globals.0.key', { name: 'n', globals: [{ key: 'a b', json: '1' }] }],
      [
        'with an odd member of a global',
        'globals.0.color',
        { name: 'n', globals: [{ ...global, color: 1 }] },
      ],
      [
        'with 101 globals',
        'globals',
        { name: 'n', globals: Array.from({ length: 101 }, (_, i) => ({ key: `k${i}`, json: '1' })) },
      ],
      [
        'with an archive in a sandbox',
        'archiveConfig',
        { name: 'n', archiveConfig: { credentialName: 'x' } },
      ],
      ['with an archive of null', 'archiveConfig', { name: 'n', archiveConfig: null }],
    ])('%s', async (_, property, body) => {
      const answer = await post(body, refused.token);
      expect(answer.status).toBe(400);
      expect(answer.body.type).toBe('Validation');
      expect(answer.body.message.startsWith(`application.${property} `)).toBe(true);
    });

    it.each([
      ['a list', '[]'],
      ['text', '"name"'],
      ['null', 'null'],
      ['nothing', undefined],
      ['broken JSON', '{"name":"n"'],
      ['__proto__', '{"name":"n","__proto__":{"ownerId":"x"}}'],
      ['constructor', '{"name":"n","constructor":{"prototype":{}}}'],
      ['a NUL character', '{"name":"a\\u0000b"}'],
      ['half of a surrogate pair', '{"name":"\\ud800"}'],
      ['half of a pair in a global', '{"name":"n","globals":[{"key":"k","json":"\\"\\udfff\\""}]}'],
    ])('%s', async (_, body) => {
      const answer = await post(body, refused.token);
      expect(answer).toMatchObject({ status: 400, body: { type: 'Validation' } });
    });

    afterAll(async () => {
      const { body } = await test.client.get('/applications', { token: refused.token });
      expect(body.totalCount).toBe(0);
    });
  });

  describe('with a slug', () => {
    it('requires it to be unique on the platform', async () => {
      const endpointSlug = uniqueName('slug');
      await makeApplication(test, user.token, { endpointSlug });
      const other = await makeUser(test);
      const { status, body } = await post({ name: 'n', endpointSlug }, other.token);
      expect({ status, body }).toEqual({
        status: 400,
        body: { type: 'Validation', message: 'application.endpointSlug is not available' },
      });
    });

    it('accepts one of many concurrent requests for the same slug', async () => {
      const endpointSlug = uniqueName('slug');
      const answers = await Promise.all(Array.from({ length: 20 }, () => post({ name: 'n', endpointSlug })));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 400)]);
    });
  });

  describe('called with an API token', () => {
    const mint = async (more: object) =>
      (await test.client.post('/me/tokens', { name: uniqueName(), ...more }, { token: user.token })).body
        .token;

    it('creates an application that belongs to the user', async () => {
      const { status, body } = await post({ name: 'n' }, await mint({ scope: ['applications.post'] }));
      expect(status).toBe(201);
      expect(body.ownerId).toBe(user.id);
    });

    it('requires the scope and a sufficient role of the token', async () => {
      expect((await post({ name: 'n' }, await mint({ scope: ['applications.get'] }))).status).toBe(403);
      expect((await post({ name: 'n' }, await mint({ defaultRole: 'collaborate' }))).status).toBe(403);
      expect((await post({ name: 'n' }, await mint({ defaultRole: 'edit' }))).status).toBe(201);
      const capped = await mint({ orgRoles: [{ orgId: 'sandbox', role: 'view' }] });
      expect((await post({ name: 'n' }, capped)).status).toBe(403);
    });

    it('creates an application of an organization only if the token has access to it', async () => {
      const org = await makeOrg(test, user.token);
      const orgRoles = [{ orgId: org.id, role: 'view' }];
      expect((await post({ name: 'n', orgId: org.id }, await mint({ orgRoles }))).status).toBe(403);
      expect((await post({ name: 'n' }, await mint({ orgRoles }))).status).toBe(201);
      const none = await mint({ orgRoles: [{ orgId: org.id, role: 'none' }] });
      expect((await post({ name: 'n', orgId: org.id }, none)).status).toBe(404);
    });
  });
});
