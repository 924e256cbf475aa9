import { UNKNOWN } from '../../../../test/make/api-tokens.js';
import {
  deviceToken,
  makeCertificate,
  makeDevice,
  makeKey,
  signInDevice,
  signInWithCertificate,
  type TestKey,
} from '../../../../test/make/device-tokens.js';
import { makeApplication, makeOrg, makeUser } from '../../../../test/make/make.js';
import { BEHIND_PROXY, claimsOf, freshAddress, clientAddress } from '../../../../test/make/sign-in.js';
import { faultsOf } from '../../../../test/suites/plans.js';
import { statementCounter, type Sent } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { DEVICE_SCOPES } from '../../../platform/access/scope-names.js';

const DAY = 86_400;
const REFUSED = { type: 'Unauthorized', message: 'Device, key or secret is wrong' };
const VOID = { type: 'Unauthorized', message: 'Invalid access token' };

const { test, user, application } = suite(BEHIND_PROXY, { retries: false });

const keyOf = (body: object = {}) => makeKey(test, user.token, application.id, body);
const deviceOf = (body: object = {}) => makeDevice(test, user.token, application.id, body);
const at = (deviceId: string) => `/applications/${application.id}/devices/${deviceId}`;
/** Reads a device with a token, from the given address or any address. */
const look = (token: string, deviceId: string, address?: string) =>
  test.client.get(at(deviceId), { token, headers: clientAddress(address) });

async function expectRefused(deviceId: string, key: Partial<TestKey>, more?: object, address?: string) {
  const { status, body } = await signInDevice(test, deviceId, key, more, address);
  expect([status, body]).toEqual([401, REFUSED]);
}

async function tokenFor(deviceId: string, key: TestKey, more?: object): Promise<string> {
  const { status, body } = await signInDevice(test, deviceId, key, more);
  expect(status).toBe(200);
  return body.token as string;
}

describe('POST /auth/device', () => {
  it('returns the device, its topics and a working token', async () => {
    const topics = { filterType: 'whitelist', pubTopics: ['a/b'], subTopics: ['c/#'] };
    const key = await keyOf(topics);
    const device = await deviceOf({ deviceClass: 'gateway' });
    const { status, body } = await signInDevice(test, device.id.toUpperCase(), key);
    expect(status).toBe(200);
    expect(body).toEqual({
      applicationId: application.id,
      deviceId: device.id,
      deviceClass: 'gateway',
      ownerType: 'user',
      ...topics,
      token: expect.any(String),
    });
    expect((await look(body.token, device.id)).body).toMatchObject({ id: device.id, name: device.name });
  });

  it('reports that an organization owns the application', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    const device = await makeDevice(test, user.token, id);
    const { body } = await signInDevice(test, device.id, await makeKey(test, user.token, id));
    expect(body).toMatchObject({ applicationId: id, ownerType: 'organization', filterType: 'none' });
  });

  describe('issues a token', () => {
    let device: { id: string };
    let key: TestKey;
    beforeEach(async () => {
      [device, key] = [await deviceOf(), await keyOf()];
    });

    it('with all device scopes for one day, containing only the device and its key', async () => {
      const { iat, exp, ...claims } = claimsOf(await tokenFor(device.id, key));
      expect(claims).toEqual({
        iss: 'fieldwright',
        sub: device.id,
        ownerType: 'device',
        key: key.id,
        scope: ['all.Device'],
      });
      expect(exp! - iat).toBeCloseTo(DAY, 3);
    });

    it.each([
      [60, 60],
      [0, DAY],
    ])('for the lifetime %i that is valid for %i seconds', async (tokenTTL, seconds) => {
      const { iat, exp } = claimsOf(await tokenFor(device.id, key, { tokenTTL }));
      expect(exp! - iat).toBeCloseTo(seconds, 3);
    });

    it.each(DEVICE_SCOPES)('with the scope %s if requested', async (scope) => {
      const token = await tokenFor(device.id, key, { requestedScopes: [scope] });
      expect(claimsOf(token).scope).toEqual([scope]);
      const opens = ['all.Device', 'all.Device.read', 'device.get'].includes(scope);
      expect((await look(token, device.id)).status).toBe(opens ? 200 : 403);
    });

    it('without scopes if an empty list is requested', async () => {
      const token = await tokenFor(device.id, key, { requestedScopes: [] });
      expect((await look(token, device.id)).status).toBe(403);
    });

    it('that can report only if its scopes allow it', async () => {
      const send = (token: string) =>
        test.client.post(`${at(device.id)}/state`, { data: { level: 1 } }, { token });
      const reading = await tokenFor(device.id, key, { requestedScopes: ['all.Device.read', 'device.get'] });
      expect((await send(reading)).status).toBe(403);
      for (const requestedScopes of [['device.sendState'], ['all.Device']])
        expect((await send(await tokenFor(device.id, key, { requestedScopes }))).status).toBe(200);
    });

    it('that gives no other access', async () => {
      const token = await tokenFor(device.id, key);
      for (const path of ['/me', '/applications', `/applications/${application.id}`, '/orgs', '/instances'])
        expect((await test.client.get(path, { token })).status).toBe(403);
      const keys = `/applications/${application.id}/keys`;
      expect((await test.client.get(keys, { token })).status).toBe(403);
      expect((await test.client.patch(at(device.id), { name: 'x' }, { token })).status).toBe(403);
    });
  });

  describe('rejects with 400', () => {
    it.each<[string, object, string]>([
      ['no device', { deviceId: undefined }, 'credentials.deviceId is required'],
      ['what is no id', { deviceId: 'x' }, 'credentials.deviceId'],
      ['an operator in place of text', { key: { $gt: '' } }, 'credentials.key'],
      ['a key that is null', { key: null }, 'credentials.key'],
      ['a secret beyond all bounds', { secret: 'x'.repeat(2049) }, 'credentials.secret'],
      ['an unknown property', { applicationId: UNKNOWN }, 'credentials.applicationId'],
      ['a scope of users', { requestedScopes: ['all.User'] }, 'credentials.requestedScopes'],
      ['a scope of applications', { requestedScopes: ['all.Application'] }, 'credentials.requestedScopes'],
      ['more of devices', { requestedScopes: ['device.*'] }, 'credentials.requestedScopes'],
      ['a scope twice', { requestedScopes: ['device.get', 'device.get'] }, 'credentials.requestedScopes'],
      ['a negative life', { tokenTTL: -1 }, 'credentials.tokenTTL'],
      ['half a second', { tokenTTL: 0.5 }, 'credentials.tokenTTL'],
      ['a life beyond all bounds', { tokenTTL: 1e12 }, 'credentials.tokenTTL'],
    ])('%s', async (_, change, named) => {
      const { status, body } = await signInDevice(test, UNKNOWN, { key: 'k', secret: 's' }, change);
      expect([status, body]).toEqual([400, { type: 'Validation', message: expect.stringContaining(named) }]);
    });
  });

  it('ignores forwarded certificates if no proxy is trusted', async () => {
    const { id } = await deviceOf();
    const body = { deviceIds: [id] };
    const { pem } = await makeCertificate(test, user.token, application.id, { body, subject: `CN=${id}` });
    const answer = await signInWithCertificate(test, id, pem);
    expect([answer.status, answer.body]).toEqual([401, REFUSED]);
  });

  describe('rejects with the same message', () => {
    it('a request without a key, a secret or both', async () => {
      const [device, { key, secret }] = [await deviceOf(), await keyOf()];
      for (const given of [{}, { key }, { secret }, { key: '', secret: '' }])
        await expectRefused(device.id, given);
    });

    it('a wrong secret, the secret of another key, and an unknown key', async () => {
      const [device, one, two] = [await deviceOf(), await keyOf(), await keyOf()];
      await expectRefused(device.id, { ...one, secret: `${one.secret}x` });
      await expectRefused(device.id, { ...one, secret: one.secret.toUpperCase() });
      await expectRefused(device.id, { ...one, secret: two.secret });
      await expectRefused(device.id, { ...one, key: one.id });
      await expectRefused(device.id, { ...one, key: UNKNOWN });
    });

    it('a device that does not exist, is deleted, or belongs to another application', async () => {
      const [device, key] = [await deviceOf(), await keyOf()];
      const elsewhere = await makeApplication(test, user.token);
      await expectRefused(UNKNOWN, key);
      await expectRefused((await makeDevice(test, user.token, elsewhere.id)).id, key);
      await test.client.delete(at(device.id), { token: user.token });
      await expectRefused(device.id, key);
    });

    it('a key that is inactive or deleted', async () => {
      const [device, key] = [await deviceOf(), await keyOf()];
      const path = `/applications/${application.id}/keys/${key.id}`;
      await test.client.patch(path, { status: 'inactive' }, { token: user.token });
      await expectRefused(device.id, key);
      await test.client.patch(path, { status: 'active' }, { token: user.token });
      await tokenFor(device.id, key);
      await test.client.delete(path, { token: user.token });
      await expectRefused(device.id, key);
    });

    it('devices that a gateway reports for', async () => {
      const key = await keyOf();
      const gateway = await deviceOf({ deviceClass: 'edgeCompute' });
      const peripheral = await deviceOf({ deviceClass: 'peripheral', gatewayId: gateway.id });
      const floating = await deviceOf({ deviceClass: 'floating' });
      const system = await deviceOf({ deviceClass: 'system' });
      for (const { id } of [peripheral, floating, system]) await expectRefused(id, key);
      for (const { id } of [gateway, await deviceOf({ deviceClass: 'embedded' })]) await tokenFor(id, key);
    });

    it('devices of a deleted application', async () => {
      const [device, key] = [await deviceOf(), await keyOf()];
      await test.client.delete(`/applications/${application.id}`, { token: user.token });
      await expectRefused(device.id, key);
    });
  });

  it('runs one SQL statement, regardless of the error, that finds each row by ID', async () => {
    const counted = statementCounter(test);
    const [device, { id, key, secret }] = [await deviceOf(), await keyOf()];
    for (const given of [
      { key, secret },
      { key, secret: 'wrong' },
      { key: 'unknown', secret },
    ]) {
      const { sent } = await counted('POST', '/auth/device', '', { deviceId: device.id, ...given });
      expect(sent).toHaveLength(1);
      expect(await faultsIn(sent[0]!)).toEqual([]);
    }
    const { sent } = await counted('GET', at(device.id), deviceToken(test, device.id, id));
    expect(sent).toHaveLength(2);
    expect(await faultsIn(sent[0]!)).toEqual([]);
  });

  const LARGE = new Set(['application_keys', 'applications', 'devices', 'orgs', 'users']);
  const faultsIn = ({ text, values }: Sent) =>
    faultsOf(test.dataSource, text, values, { large: LARGE, sorted: false });
});

describe('An access key', () => {
  it('for specific devices signs in no others', async () => {
    const [one, two] = [await deviceOf(), await deviceOf()];
    const key = await keyOf({ deviceIds: [one.id.toUpperCase(), UNKNOWN] });
    await tokenFor(one.id, key);
    await expectRefused(two.id, key);
  });

  it.each<[object[], object[], boolean]>([
    [[{ key: 'site', value: 'north' }], [{ key: 'site', value: 'north' }], true],
    [[{ key: 'site', value: 'north' }], [{ key: 'site', value: 'south' }], false],
    [[{ key: 'site', value: 'north' }], [{ key: 'floor', value: 'north' }], false],
    [
      [{ key: 'site', value: 'north' }],
      [
        { key: 'site', value: 'south' },
        { key: 'site', value: 'north' },
      ],
      true,
    ],
    [
      [{ key: 'site', value: 'north' }],
      [
        { key: 'site', value: 'south' },
        { key: 'floor', value: 'north' },
      ],
      false,
    ],
    [[{ key: 'site' }], [{ key: 'site', value: 'south' }], true],
    [[{ key: 'site' }], [{ key: 'floor', value: 'site' }], false],
    [[{ value: 'north' }], [{ key: 'site', value: 'north' }], true],
    [[{ value: 'north' }], [], false],
    [[{ key: 'site', value: 'north' }, { key: 'floor' }], [{ key: 'floor', value: '2' }], true],
    [[{}], [{ key: 'site', value: 'north' }], true],
    [[{}], [], false],
  ])('for the tags %j signs in a device with %j: %s', async (deviceTags, tags, signsIn) => {
    const [device, key] = [await deviceOf({ tags }), await keyOf({ deviceTags })];
    expect((await signInDevice(test, device.id, key)).status).toBe(signsIn ? 200 : 401);
  });

  it('for IDs and tags signs in devices that match either', async () => {
    const [one, two, three] = [
      await deviceOf(),
      await deviceOf({ tags: [{ key: 'a', value: 'b' }] }),
      await deviceOf(),
    ];
    const key = await keyOf({ deviceIds: [one.id], deviceTags: [{ key: 'a' }] });
    await tokenFor(one.id, key);
    await tokenFor(two.id, key);
    await expectRefused(three.id, key);
  });

  it.each<[string, string[], string, boolean]>([
    ['whitelist', ['203.0.113.7'], '203.0.113.7', true],
    ['whitelist', ['203.0.113.7'], '203.0.113.8', false],
    ['whitelist', ['203.0.113.0/24'], '203.0.113.8', true],
    ['whitelist', ['2001:db8::/32'], '2001:db8:7::1', true],
    ['whitelist', ['2001:db8::/32'], '2001:db9::1', false],
    ['whitelist', ['203.0.113.0/24'], '::ffff:203.0.113.8', true],
    ['whitelist', [], '203.0.113.7', false],
    ['blacklist', ['203.0.113.7', '2001:db8::/32'], '203.0.113.7', false],
    ['blacklist', ['203.0.113.7', '2001:db8::/32'], '2001:db8::1', false],
    ['blacklist', ['203.0.113.7', '2001:db8::/32'], '203.0.113.8', true],
    ['all', ['203.0.113.7'], '203.0.113.8', true],
  ])('with the %s %j used from %s is accepted: %s', async (addressFilterType, addresses, address, letIn) => {
    const [device, key] = [await deviceOf(), await keyOf({ addressFilterType, addresses })];
    expect((await signInDevice(test, device.id, key, {}, address)).status).toBe(letIn ? 200 : 401);
    const answer = await look(deviceToken(test, device.id, key.id), device.id, address);
    expect(answer.status).toBe(letIn ? 200 : 401);
    if (!letIn) expect(answer.body).toEqual(VOID);
  });
});

describe('Failed sign-ins of devices', () => {
  const fail = async (deviceId: string, key: Partial<TestKey>, address: string) =>
    (await signInDevice(test, deviceId, { ...key, secret: 'wrong' }, {}, address)).status;
  const failing = (count: number, send: (i: number) => Promise<number>) =>
    Promise.all(Array.from({ length: count }, (_, i) => send(i)));

  it('from one address return 429 after 100, without blocking devices with the right secret', async () => {
    const [device, key, address] = [await deviceOf(), await keyOf(), freshAddress()];
    const statuses = await failing(110, (i) => fail(device.id, { key: `key ${i}` }, address));
    expect(statuses.filter((status) => status === 401)).toHaveLength(100);
    const answer = await signInDevice(test, device.id, { ...key, secret: 'wrong' }, {}, address);
    expect([answer.status, answer.body.type]).toEqual([429, 'TooManyRequests']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await signInDevice(test, device.id, key, {}, address)).status).toBe(200);
    expect(await fail(device.id, key, freshAddress())).toBe(401);
  });

  it('with one key return 429 after 100, from any address', async () => {
    const [device, key] = [await deviceOf(), await keyOf()];
    const statuses = await failing(110, () => fail(device.id, key, freshAddress()));
    expect(statuses.filter((status) => status === 401)).toHaveLength(100);
    expect((await signInDevice(test, device.id, key)).status).toBe(200);
    expect(await fail(device.id, await keyOf(), freshAddress())).toBe(401);
  });

  it('do not affect users at the same address', async () => {
    const [device, address] = [await deviceOf(), freshAddress()];
    await failing(110, (i) => fail(device.id, { key: `key ${i}` }, address));
    const { email, password } = await makeUser(test);
    expect(
      (await test.client.post('/auth/user', { email, password }, { headers: clientAddress(address) })).status,
    ).toBe(200);
  });
});
