import { TestDeployments } from '../../../../test/make/deployments.js';
import { makeDevice } from '../../../../test/make/device-tokens.js';
import { makeApplication, makeMember, makeOrg } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { AuditLog } from '../../accounts/audit-logs/audit-log.resource.js';
import { newId } from '../../../platform/repositories/resource.js';

const { test, user, application } = suite();
const deployments = new TestDeployments({ test, user, application }, 'embedded');
const BUNDLE = /^\d{13}$/;

/** Returns the deployment of a device. */
const of = async (device: { id: string }) => (await deployments.of(device))[0];

describe('embedded deployment release', () => {
  it('sets the desired version, which becomes current when the device reports it', async () => {
    const flow = await deployments.flow(['1.0.0']);
    const device = await deployments.device({ name: 'Pump 3' });
    await deployments.release(flow, '1.0.0', device);
    const deployment = await of(device);
    expect(deployment).toMatchObject({
      embeddedDeploymentId: deployment.id,
      applicationId: application.id,
      deviceId: device.id,
      deviceName: 'Pump 3',
      deviceConnectionInfo: { connected: null },
      flows: { [flow.id]: { flowName: flow.name, currentVersion: null, desiredVersion: '1.0.0' } },
      currentBundleVersion: 'nullVersion',
      desiredBundleVersion: expect.stringMatching(BUNDLE),
      unknownBundle: false,
    });
    expect(deployment.logs).toEqual([
      {
        sourceType: 'user',
        sourceId: user.id,
        date: expect.any(String),
        changeType: 'desired',
        updateType: 'newFlow',
        updateFlowId: flow.id,
        desiredVersion: '1.0.0',
        newBundle: deployment.desiredBundleVersion,
      },
    ]);
    const own = await test.client.get(`${deployments.path}/${deployment.id}`, { token: user.token });
    expect(own.body).toEqual(deployment);
  });

  it('creates a new bundle for each change, and none if nothing changes', async () => {
    const flow = await deployments.flow(['1.0.0', '2.0.0']);
    const device = await deployments.device();
    const bundles: string[] = [];
    for (const version of ['1.0.0', '2.0.0', '2.0.0', 'develop']) {
      await deployments.release(flow, version, device);
      bundles.push((await of(device)).desiredBundleVersion);
    }
    expect(bundles[1]! > bundles[0]!).toBe(true);
    expect(bundles[2]).toBe(bundles[1]);
    expect(bundles[3]! > bundles[2]!).toBe(true);
    expect((await of(device)).logs.map((entry: any) => entry.updateType)).toEqual([
      'replaceFlow',
      'replaceFlow',
      'newFlow',
    ]);
  });

  it.each([null, ''])('removes the workflow if the version is %j', async (version) => {
    const flow = await deployments.flow();
    const other = await deployments.flow();
    const device = await deployments.device();
    for (const each of [flow, other]) await deployments.release(each, 'develop', device);
    const { status } = await deployments.act('release', { flowId: flow.id, version, deviceIds: [device.id] });
    expect(status).toBe(201);
    const left = await of(device);
    expect(Object.keys(left.flows)).toEqual([other.id]);
    expect(left.logs[0]).toMatchObject({ updateType: 'removeFlow', desiredVersion: null });
    await deployments.act('release', { flowId: other.id, version, deviceIds: [device.id] });
    expect(await of(device)).toMatchObject({ flows: {}, desiredBundleVersion: 'nullVersion' });
  });

  it('combines devices selected by tags and IDs, and skips tagged devices of another class', async () => {
    const flow = await deployments.flow();
    const tags = [{ key: 'site', value: 'north' }];
    const tagged = [await deployments.device({ tags }), await deployments.device({ tags })];
    const named = await deployments.device();
    const others = [
      await deployments.device({ tags: [{ key: 'site', value: 'south' }] }),
      await makeDevice(test, user.token, application.id, { tags }),
    ];
    const { status } = await deployments.act('release', {
      flowId: flow.id.toUpperCase(),
      version: 'develop',
      deviceIds: [named.id.toUpperCase(), named.id],
      deviceTags: tags,
      releaseTag: 'spring',
    });
    expect(status).toBe(201);
    const ids = (await deployments.list()).body.items.map((each: any) => each.deviceId).sort();
    expect(ids).toEqual([...tagged, named].map(({ id }) => id).sort());
    for (const device of others) expect(await of(device)).toBeUndefined();
  });

  it('does nothing if no device has the tags', async () => {
    const flow = await deployments.flow();
    const deviceTags = [{ key: 'site', value: 'nowhere' }];
    const { status } = await deployments.act('release', { flowId: flow.id, version: 'develop', deviceTags });
    expect(status).toBe(201);
    expect((await deployments.list()).body).toMatchObject({ items: [], totalCount: 0 });
  });

  it('rejects requests without devices, with unknown resources, or with incompatible ones', async () => {
    const flow = await deployments.flow(['1.0.0']);
    const cloud = await deployments.flow([], { flowClass: 'cloud', minimumAgentVersion: undefined });
    const device = await deployments.device();
    const standalone = await makeDevice(test, user.token, application.id);
    const elsewhere = await makeApplication(test, user.token);
    const stranger = await makeDevice(test, user.token, elsewhere.id, { deviceClass: 'embedded' });
    const ask = async (more: object) => {
      const body = { flowId: flow.id, version: '1.0.0', deviceIds: [device.id], ...more };
      const answer = await deployments.act('release', body);
      return [answer.status, answer.body.message];
    };
    const name = 'embeddedDeploymentRelease';
    expect(await ask({ deviceIds: undefined })).toEqual([
      400,
      `${name}.deviceIds or ${name}.deviceTags is required`,
    ]);
    expect(await ask({ deviceIds: [], deviceTags: [] })).toEqual([
      400,
      `${name}.deviceIds or ${name}.deviceTags is required`,
    ]);
    expect(await ask({ version: '2.0.0' })).toEqual([
      400,
      `${name}.version must be develop or a version of the workflow ${flow.id}`,
    ]);
    expect(await ask({ flowId: cloud.id })).toEqual([
      400,
      `${name}.flowId must be the ID of a workflow of class embedded: ${cloud.id} is of class cloud`,
    ]);
    expect(await ask({ deviceIds: [device.id, standalone.id] })).toEqual([
      400,
      `${name}.deviceIds must be IDs of devices of class embedded: ${standalone.id} is of class standalone`,
    ]);
    expect(await ask({ deviceIds: [stranger.id] })).toEqual([404, `Device ${stranger.id} was not found`]);
    expect(await ask({ flowId: newId() })).toEqual([404, 'Flow was not found']);
    expect(await of(device)).toBeUndefined();
  });
});

describe('embedded deployment removal', () => {
  it('removes one workflow from a device, all from a device, or one from all devices', async () => {
    const [one, two] = [await deployments.flow(), await deployments.flow()];
    const devices = [await deployments.device(), await deployments.device(), await deployments.device()];
    for (const flow of [one, two]) await deployments.release(flow, 'develop', ...devices);
    const flowsOf = async () =>
      Promise.all(devices.map(async (device) => Object.keys((await of(device)).flows).sort()));
    const both = [one.id, two.id].sort();
    await deployments.act('remove', { flowId: one.id, deviceId: devices[0].id });
    expect(await flowsOf()).toEqual([[two.id], both, both]);
    await deployments.act('remove', { flowId: null, deviceId: devices[1].id });
    expect(await flowsOf()).toEqual([[two.id], [], both]);
    expect((await of(devices[1])).logs[0]).toMatchObject({ updateType: 'clear', newBundle: 'nullVersion' });
    await deployments.act('remove', { flowId: two.id, deviceId: null });
    expect(await flowsOf()).toEqual([[], [], [one.id]]);
  });

  it('does nothing if the workflow is not deployed', async () => {
    const flow = await deployments.flow();
    const device = await deployments.device();
    const answer = await deployments.act('remove', { flowId: flow.id, deviceId: device.id });
    expect([answer.status, answer.body]).toEqual([201, { success: true }]);
    expect(await of(device)).toBeUndefined();
  });

  it('rejects requests without IDs, and unknown resources', async () => {
    const ask = async (flowId: string | null, deviceId: string | null) => {
      const { status, body } = await deployments.act('remove', { flowId, deviceId });
      return [status, body.message];
    };
    const flow = await deployments.flow();
    const device = await deployments.device();
    const name = 'embeddedDeploymentRemove';
    expect(await ask(null, null)).toEqual([400, `${name}.flowId or ${name}.deviceId is required`]);
    expect(await ask(newId(), device.id)).toEqual([404, 'Flow was not found']);
    expect(await ask(flow.id, newId())).toEqual([404, 'Device was not found']);
    expect((await deployments.act('remove', { flowId: flow.id })).status).toBe(400);
  });
});

describe('embedded deployment replacement', () => {
  it('affects devices for which the old version is desired', async () => {
    const flow = await deployments.flow(['1', '2', '3']);
    const [old, newer] = [await deployments.device(), await deployments.device()];
    await deployments.release(flow, '1', old);
    await deployments.release(flow, '2', newer);
    const replace = (oldVersion: string, newVersion: string | null) =>
      deployments.act('replace', { flowId: flow.id, oldVersion, newVersion });
    expect((await replace('1', '3')).status).toBe(201);
    const versions = async () =>
      Promise.all([old, newer].map(async (device) => (await of(device)).flows[flow.id]?.desiredVersion));
    expect(await versions()).toEqual(['3', '2']);
    expect((await replace('2', '')).status).toBe(201);
    expect(await versions()).toEqual(['3', undefined]);
    expect((await replace('gone', '3')).status).toBe(201);
    const { desiredBundleVersion } = await of(old);
    expect((await replace('3', '3')).status).toBe(201);
    expect((await of(old)).desiredBundleVersion).toBe(desiredBundleVersion);
    expect((await replace('3', 'gone')).body.message).toBe(
      `embeddedDeploymentReplace.newVersion must be develop or a version of the workflow ${flow.id}`,
    );
  });
});

describe('embedded deployments', () => {
  it('can be filtered by device, workflow and version, desired or current', async () => {
    const [one, two] = [await deployments.flow(['1', '2']), await deployments.flow(['1'])];
    const devices = [await deployments.device(), await deployments.device()];
    await deployments.release(one, '2', devices[0]);
    await deployments.release(two, '1', devices[1]);
    const idsOf = async (query: string) => {
      const { body } = await deployments.list(query);
      expect(body.totalCount).toBe(body.count);
      return body.items.map((each: any) => each.deviceId);
    };
    expect(await idsOf('')).toEqual([devices[1].id, devices[0].id]);
    expect(await idsOf('sortField=creationDate&sortDirection=asc')).toEqual([devices[0].id, devices[1].id]);
    expect(await idsOf(`flowId=${one.id}`)).toEqual([devices[0].id]);
    expect(await idsOf('version=1')).toEqual([devices[1].id]);
    expect(await idsOf(`version=1&flowId=${one.id}`)).toEqual([]);
    expect(await idsOf(`deviceId=${devices[0].id}&version=2`)).toEqual([devices[0].id]);
    const { body } = await deployments.list(`deviceId=${devices[0].id}&flowId=${one.id}&version=2`);
    expect(body).toMatchObject({ deviceId: devices[0].id, flowId: one.id, version: '2' });
    expect((await deployments.list(`deviceId=${newId()}`)).status).toBe(404);
    const missing = await test.client.get(`${deployments.path}/${newId()}`, { token: user.token });
    expect(missing.body.message).toBe('Embedded deployment was not found');
  });

  it('require the role view for reading and collaborate for changes, which are logged', async () => {
    const org = await makeOrg(test, user.token);
    const owned = await makeApplication(test, user.token, { orgId: org.id });
    const own = new TestDeployments({ test, user, application: owned }, 'embedded');
    const flow = await own.flow();
    const device = await own.device();
    const body = { flowId: flow.id, version: 'develop', deviceIds: [device.id] };
    const statuses = [];
    for (const role of ['none', 'view', 'collaborate'] as const) {
      const { token } = await makeMember(test, org.id, role);
      const read = await test.client.get(own.path, { token });
      statuses.push([read.status, (await own.act('release', body, token)).status]);
    }
    expect(statuses).toEqual([
      [404, 404],
      [200, 403],
      [200, 201],
    ]);
    const logged = { orgId: org.id, requestResource: 'embeddedDeployments' };
    const [entry] = await test.dataSource.getRepository(AuditLog).findBy(logged);
    expect(entry).toMatchObject({
      requestAction: 'release',
      primaryTargetId: owned.id,
      secondaryTargetType: 'Flow',
      secondaryTargetId: flow.id,
    });
  });
});
