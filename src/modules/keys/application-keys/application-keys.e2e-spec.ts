import { makeApplication, makeMember, makeOrg, makeUser, tokenOf } from '../../../../test/make/make.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { sha256 } from '../../../lib/crypto/hashes.js';
import type { Role } from '../../../platform/operations/operation.js';
import { ApplicationKey } from './application-key.resource.js';

const DEVICE = '575ec8687ae143cd83dc4a97';
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const { test } = suite();

async function own() {
  const user = await makeUser(test);
  const application = await makeApplication(test, user.token);
  const path = `/applications/${application.id}/keys`;
  const { token } = user;
  return {
    user,
    token,
    application,
    path,
    create: (body: unknown = {}) => test.client.post(path, body, { token }),
    list: (query = '') => test.client.get(`${path}${query}`, { token }),
  };
}

describe('POST /applications/{applicationId}/keys', () => {
  it('creates the most restricted key by default', async () => {
    const { create, list, application, user } = await own();
    const { status, body } = await create();
    expect(status).toBe(201);
    const { secret, ...key } = body;
    expect(key).toEqual({
      id: key.id,
      applicationKeyId: key.id,
      applicationId: application.id,
      creationDate: key.creationDate,
      lastUpdated: key.creationDate,
      createdById: user.id,
      createdByType: 'user',
      lastUpdatedById: user.id,
      lastUpdatedByType: 'user',
      key: expect.stringMatching(UUID),
      status: 'active',
      deviceIds: [],
      deviceTags: [],
      addressFilterType: 'all',
      addresses: [],
      filterType: 'none',
      pubTopics: [],
      subTopics: [],
    });
    expect((await list()).body.items).toEqual([key]);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(256);
  });

  it('accepts all properties', async () => {
    const { create } = await own();
    const given = {
      name: 'Pumps',
      description: 'of the north field',
      deviceIds: [DEVICE.toUpperCase()],
      deviceTags: [{ key: 'site', value: 'north' }, { key: 'floor' }, { value: 'x' }, {}],
      addressFilterType: 'whitelist',
      addresses: ['203.0.113.7', '203.0.113.0/24', '2001:db8::1', '2001:db8::/32', '::ffff:203.0.113.7'],
      filterType: 'blacklist',
      pubTopics: ['a/+/b', '#'],
      subTopics: ['c/#'],
    };
    const { status, body } = await create(given);
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...given, deviceIds: [DEVICE] });
  });

  it('returns the secret once, stores only its hash and never logs it', async () => {
    const admin = await makeUser(test);
    const { token } = admin;
    const org = await makeOrg(test, token);
    const { id } = await makeApplication(test, token, { orgId: org.id });
    const path = `/applications/${id}/keys`;
    const { body } = await test.client.post(path, { name: 'Pumps' }, { token });
    const stored = await test.dataSource.manager.findOneByOrFail(ApplicationKey, { id: body.id });
    expect(stored.secretHash).toBe(sha256(body.secret));
    const logged = await test.client.get(`/orgs/${org.id}/audit-logs`, { token });
    const [entry] = logged.body.items;
    expect(entry).toMatchObject({
      requestResource: 'applicationKeys',
      requestAction: 'post',
      requestBody: { name: 'Pumps' },
      primaryTargetType: 'Application',
      primaryTargetId: id,
      secondaryTargetType: 'ApplicationKey',
      secondaryTargetId: body.id,
      secondaryTargetName: 'Pumps',
    });
    const others = [
      await test.client.get(path, { token }),
      await test.client.get(`${path}/${body.id}`, { token }),
      await test.client.patch(`${path}/${body.id}`, { status: 'inactive' }, { token }),
      logged,
    ];
    for (const answer of others) expect(JSON.stringify(answer.body)).not.toContain(body.secret);
    expect(test.log.join('')).not.toContain(body.secret);
    expect(JSON.stringify(stored)).not.toContain(body.secret);
  });

  it('generates a different key and secret each time', async () => {
    const { create } = await own();
    const made = (await Promise.all([1, 2, 3].map(() => create({ name: 'same' })))).map(({ body }) => body);
    expect(new Set(made.map(({ key }) => key)).size).toBe(3);
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(3);
  });

  it.each<[string, object]>([
    ['applicationKey.name', { name: '' }],
    ['applicationKey.name', { name: 'x'.repeat(256) }],
    ['applicationKey.name', { name: null }],
    ['applicationKey.description', { description: 'x'.repeat(32_768) }],
    ['applicationKey.status', { status: 'active' }],
    ['applicationKey.key', { key: 'mine' }],
    ['applicationKey.secret', { secret: 'mine' }],
    ['applicationKey.secretHash', { secretHash: 'mine' }],
    ['applicationKey.deviceIds.0', { deviceIds: ['x'] }],
    ['applicationKey.deviceIds', { deviceIds: Array(1001).fill(DEVICE) }],
    ['applicationKey.deviceTags.0.key', { deviceTags: [{ key: 'a b' }] }],
    ['applicationKey.deviceTags.0.colour', { deviceTags: [{ colour: 'red' }] }],
    ['applicationKey.deviceTags', { deviceTags: Array(101).fill({ key: 'a' }) }],
    ['applicationKey.filterType', { filterType: 'some' }],
    ['applicationKey.addressFilterType', { addressFilterType: 'none' }],
    ['applicationKey.addresses', { addresses: Array(101).fill('203.0.113.7') }],
    ['applicationKey.pubTopics.0', { pubTopics: [''] }],
    ['applicationKey.subTopics.1', { subTopics: ['a', 'x'.repeat(1025)] }],
  ])('rejects %s in %j', async (at, body) => {
    const { create, list } = await own();
    const answer = await create(body);
    expect([answer.status, answer.body.type]).toEqual([400, 'Validation']);
    expect(answer.body.message.startsWith(`${at} `)).toBe(true);
    expect((await list()).body.totalCount).toBe(0);
  });

  it.each([
    '',
    'pump.example.com',
    '127.1',
    '0177.0.0.1',
    '1.2.3.256',
    '203.0.113.0/33',
    '203.0.113.0/',
    '203.0.113.0/24/8',
    '203.0.113/24',
    '/24',
    '2001:db8::/129',
    'fe80::1%eth0',
    '2001:db8:::1',
    ' 203.0.113.7',
  ])('rejects the address %j', async (address) => {
    const { create } = await own();
    const answer = await create({ addresses: ['203.0.113.7', address] });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/^applicationKey\.addresses\.1 must be an IPv4 or IPv6 address/);
  });

  it('gives the last place within the limit to one of two concurrent requests', async () => {
    const { user, create, list } = await own();
    await create();
    await test.dataSource.query('UPDATE users SET limits = $2 WHERE id = $1', [
      user.id,
      JSON.stringify({ applicationkey: 2 }),
    ]);
    const answers = await Promise.all([create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
    const refused = answers.find(({ status }) => status === 400)!;
    expect(refused.body.message).toBe('The limit of 2 access keys is reached');
    expect((await list()).body.totalCount).toBe(2);
  });

  it('counts the key in the summaries of its application, organization and user', async () => {
    const { token } = await makeUser(test);
    const org = await makeOrg(test, token);
    for (const [owner, orgId] of [
      [`/orgs/${org.id}`, org.id],
      ['/me', undefined],
    ] as const) {
      const { id } = await makeApplication(test, token, orgId ? { orgId } : {});
      const other = await makeApplication(test, token, orgId ? { orgId } : {});
      for (const application of [id, id, other.id])
        await test.client.post(`/applications/${application}/keys`, {}, { token });
      const application = await test.client.get(`/applications/${id}`, { token });
      expect(application.body.summary).toMatchObject({ keyCount: 2 });
      const { body } = await test.client.get(`${owner}?summaryInclude=keyCount`, { token });
      expect(body.summary).toMatchObject({ keyCount: 3 });
    }
  });

  it.each<[Role, number, number]>([
    ['none', 404, 404],
    ['view', 200, 403],
    ['collaborate', 200, 201],
    ['edit', 200, 201],
    ['admin', 200, 201],
  ])('with the role %s, answers lists with %i and creations with %i', async (role, read, write) => {
    const { token } = await makeUser(test);
    const org = await makeOrg(test, token);
    const { id } = await makeApplication(test, token, { orgId: org.id });
    const member = await makeMember(test, org.id, role);
    const path = `/applications/${id}/keys`;
    expect((await test.client.get(path, { token: member.token })).status).toBe(read);
    expect((await test.client.post(path, {}, { token: member.token })).status).toBe(write);
  });

  it.each([
    ['all.User.read', 200, 403],
    ['all.Application', 200, 201],
    ['applicationKeys.*', 200, 201],
    ['applicationKeys.post', 403, 201],
    ['applicationKey.*', 403, 403],
    ['all.Application.bounded', 403, 403],
  ])('with the scope %s, answers lists with %i and creations with %i', async (scope, read, write) => {
    const { user, path } = await own();
    const token = tokenOf(test, user.id, [scope]);
    expect((await test.client.get(path, { token })).status).toBe(read);
    expect((await test.client.post(path, {}, { token })).status).toBe(write);
  });

  it('returns 401 without a token', async () => {
    const { path } = await own();
    expect((await test.client.get(path)).status).toBe(401);
    expect((await test.client.post(path, {})).status).toBe(401);
  });
});

describe('GET /applications/{applicationId}/keys', () => {
  it('returns the newest keys first, as the single resource returns them, with one statement', async () => {
    const { create, list, path, token, application } = await own();
    for (const name of ['a', 'b', 'c']) await create({ name });
    const { body } = await list();
    expect(body).toMatchObject({
      count: 3,
      totalCount: 3,
      page: 0,
      perPage: 100,
      sortField: 'creationDate',
      sortDirection: 'desc',
      applicationId: application.id,
    });
    expect(body.items.map(({ name }: ApplicationKey) => name)).toEqual(['c', 'b', 'a']);
    for (const item of body.items)
      expect((await test.client.get(`${path}/${item.id}`, { token })).body).toEqual(item);
    const { statements } = await statementCounter(test)('GET', path, token);
    expect(statements).toHaveLength(1);
  });

  it('returns only the keys of this application', async () => {
    const { create } = await own();
    const other = await own();
    await create();
    expect((await other.list()).body.items).toEqual([]);
  });
});
