import { UNKNOWN } from '../../../../test/make/api-tokens.js';
import {
  deviceToken,
  makeDevice,
  makeKey,
  signInDevice,
  type TestKey,
} from '../../../../test/make/device-tokens.js';
import { makeApplication, makeInstanceMember, makeOrg } from '../../../../test/make/make.js';
import { BEHIND_PROXY, clientAddress } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';

const VOID = { type: 'Unauthorized', message: 'Invalid access token' };

const { test, other, user, application } = suite(BEHIND_PROXY);

const keyOf = (body: object = {}) => makeKey(test, user.token, application.id, body);
const deviceOf = (body: object = {}) => makeDevice(test, user.token, application.id, body);
const at = (deviceId: string) => `/applications/${application.id}/devices/${deviceId}`;
/** Reads a device with a token, from the given address or any address. */
const look = (token: string, deviceId: string, address?: string) =>
  test.client.get(at(deviceId), { token, headers: clientAddress(address) });

async function tokenFor(deviceId: string, key: TestKey, more?: object): Promise<string> {
  const { status, body } = await signInDevice(test, deviceId, key, more);
  expect(status).toBe(200);
  return body.token as string;
}

describe('A token of a device', () => {
  it('expires after its lifetime', async () => {
    const [device, key] = [await deviceOf(), await keyOf()];
    const { status, body } = await look(deviceToken(test, device.id, key.id, ['all.Device'], -1), device.id);
    expect([status, body.message]).toEqual([401, 'Access token has expired']);
  });

  it('is rejected without a key or with a key of another application', async () => {
    const device = await deviceOf();
    const elsewhere = await makeApplication(test, user.token);
    const foreign = await makeKey(test, user.token, elsewhere.id);
    for (const keyId of [undefined, UNKNOWN, foreign.id])
      expect((await look(deviceToken(test, device.id, keyId), device.id)).body).toEqual(VOID);
  });

  it('gives no access outside its application', async () => {
    const [device, key] = [await deviceOf(), await keyOf()];
    const elsewhere = await makeApplication(test, user.token);
    const foreign = await makeDevice(test, user.token, elsewhere.id);
    const token = await tokenFor(device.id, key);
    const path = `/applications/${elsewhere.id}/devices`;
    for (const answer of [
      await test.client.get(path, { token }),
      await test.client.get(`${path}/${foreign.id}`, { token }),
      await test.client.get(`${path}/${device.id}`, { token }),
    ])
      expect([answer.status, answer.body.message]).toEqual([404, 'Application was not found']);
    expect((await look(token, foreign.id)).status).toBe(404);
  });

  it('gives access to all devices if its key does, otherwise to the devices of the key', async () => {
    const one = await deviceOf({ name: 'one' });
    await deviceOf({ name: 'two', tags: [{ key: 'site', value: 'north' }] });
    await deviceOf({ name: 'three' });
    const namesFor = async (key: TestKey) => {
      const { body } = await test.client.get(`/applications/${application.id}/devices`, {
        token: await tokenFor(one.id, key),
      });
      expect(body.totalCount).toBe(body.items.length);
      return body.items.map(({ name }: { name: string }) => name).sort();
    };
    expect(await namesFor(await keyOf())).toEqual(['one', 'three', 'two']);
    expect(await namesFor(await keyOf({ deviceIds: [one.id] }))).toEqual(['one']);
    const deviceTags = [{ key: 'site' }];
    expect(await namesFor(await keyOf({ deviceIds: [one.id], deviceTags }))).toEqual(['one', 'two']);
  });

  describe('is rejected immediately in every process', () => {
    let device: { id: string };
    let key: TestKey;
    let token: string;
    beforeEach(async () => {
      device = await deviceOf({ tags: [{ key: 'site', value: 'north' }] });
      key = await keyOf({ deviceTags: [{ key: 'site', value: 'north' }] });
      token = await tokenFor(device.id, key);
      for (const { client } of [test, other])
        expect((await client.get(at(device.id), { token })).status).toBe(200);
    });
    const statuses = async () =>
      Promise.all(
        [test, other].map(async ({ client }) => {
          const { status, body } = await client.get(at(device.id), { token });
          if (status === 401) expect(body).toEqual(VOID);
          return status;
        }),
      );
    const change = (path: string, body: object) => test.client.patch(path, body, { token: user.token });
    const ofKey = () => `/applications/${application.id}/keys/${key.id}`;

    it('while its key is inactive', async () => {
      await change(ofKey(), { status: 'inactive' });
      expect(await statuses()).toEqual([401, 401]);
      await change(ofKey(), { status: 'active' });
      expect(await statuses()).toEqual([200, 200]);
    });

    it('when its key is deleted', async () => {
      await test.client.delete(ofKey(), { token: user.token });
      expect(await statuses()).toEqual([401, 401]);
    });

    it('when its key no longer allows its address', async () => {
      await change(ofKey(), { addressFilterType: 'whitelist', addresses: ['203.0.113.7'] });
      expect(await statuses()).toEqual([401, 401]);
      expect((await look(token, device.id, '203.0.113.7')).status).toBe(200);
    });

    it('but not when its key is renamed', async () => {
      await change(ofKey(), { name: 'x', description: 'y' });
      expect(await statuses()).toEqual([200, 200]);
    });

    it('when the device is deleted', async () => {
      await test.client.delete(at(device.id), { token: user.token });
      expect(await statuses()).toEqual([401, 401]);
    });

    it('when the device loses the tag by which it can use the key', async () => {
      await change(at(device.id), { tags: [{ key: 'site', value: 'south' }] });
      expect(await statuses()).toEqual([401, 401]);
    });

    it('when the device changes to a class that a gateway reports for', async () => {
      await change(at(device.id), { deviceClass: 'floating' });
      expect(await statuses()).toEqual([401, 401]);
    });

    it('when the application is deleted', async () => {
      await test.client.delete(`/applications/${application.id}`, { token: user.token });
      expect(await statuses()).toEqual([401, 401]);
    });

    it('when the owner of the application is deleted', async () => {
      const { email, password } = user;
      const credentials = { email, password };
      expect((await test.client.post('/me/delete', credentials, { token: user.token })).status).toBe(200);
      expect(await statuses()).toEqual([401, 401]);
    });
  });

  it('is rejected while the organization that owns the application is disabled, and can only read while it is read-only', async () => {
    const admin = await makeInstanceMember(test, 'admin');
    const org = await makeOrg(test, admin.token);
    const { id } = await makeApplication(test, admin.token, { orgId: org.id });
    const [device, key] = [await makeDevice(test, admin.token, id), await makeKey(test, admin.token, id)];
    const token = await tokenFor(device.id, key);
    const path = `/applications/${id}/devices/${device.id}`;
    const outcome = async () => [
      (await test.client.get(path, { token })).status,
      (await test.client.post(`${path}/state`, { data: { level: 1 } }, { token })).status,
      (await signInDevice(test, device.id, key)).status,
    ];
    const change = (body: object) =>
      test.client.patch(`/instances/${admin.instanceId}/orgs/${org.id}`, body, { token: admin.token });
    expect(await outcome()).toEqual([200, 200, 200]);
    expect((await change({ isReadOnly: true })).status).toBe(200);
    expect(await outcome()).toEqual([200, 403, 200]);
    await change({ isReadOnly: false, disabledAt: new Date(0).toISOString() });
    expect(await outcome()).toEqual([401, 401, 401]);
    await change({ disabledAt: false });
    expect(await outcome()).toEqual([200, 200, 200]);
  });
});
