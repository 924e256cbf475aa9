import { TestDeployments } from '../../../../test/make/deployments.js';
import { suite } from '../../../../test/setup/suite.js';
import { DeviceRemovalRepository } from '../../devices/device-removal/device-removal.repository.js';
import { EmbeddedBundlesRepository } from './embedded-bundles.repository.js';

const { test, user, application } = suite();
const deployments = new TestDeployments({ test, user, application }, 'embedded');
const bundles = () => test.app.get(EmbeddedBundlesRepository, { strict: false });
const path = (rest = '') => `/applications/${application.id}${rest}`;

/** Returns the deployment of a device. */
const of = async (device: { id: string }) => (await deployments.of(device))[0];

/** Sends a request and applies the resulting deployment changes. */
async function change(method: 'PATCH' | 'DELETE' | 'POST', at: string, body?: object): Promise<void> {
  const answer = await test.client.request(method, path(at), { body, token: user.token });
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  await deployments.work();
}

const hello = (device: { id: string }, bundle: string) =>
  bundles().hello(application.id, device.id, { bundle, compilerOptions: { traceLevel: 1 } });
/** Reports the desired bundle as running. */
const run = async (device: { id: string }) => hello(device, (await of(device)).desiredBundleVersion);

describe('hello message', () => {
  it('with the desired bundle makes it current', async () => {
    const flow = await deployments.flow(['1']);
    const device = await deployments.device();
    await deployments.release(flow, '1', device);
    const { id, desiredBundleVersion } = await of(device);
    expect(await hello(device, 'nullVersion')).toEqual({
      deploymentId: id,
      version: desiredBundleVersion,
      isCurrent: false,
      compilerOptions: { traceLevel: 1 },
    });
    expect((await of(device)).logs).toHaveLength(1);
    expect(await run(device)).toMatchObject({ isCurrent: true });
    const deployment = await of(device);
    expect(deployment).toMatchObject({
      currentBundleVersion: desiredBundleVersion,
      flows: { [flow.id]: { currentVersion: '1', desiredVersion: '1' } },
    });
    expect(deployment.logs[0]).toMatchObject({
      changeType: 'current',
      updateType: 'knownBundle',
      sourceType: 'device',
      sourceId: device.id,
      newBundle: desiredBundleVersion,
    });
    await run(device);
    expect(await of(device)).toEqual(deployment);
  });

  it('with an older bundle records its versions, and with an unknown one marks it as unknown', async () => {
    const flow = await deployments.flow(['1', '2']);
    const device = await deployments.device();
    await deployments.release(flow, '1', device);
    const { desiredBundleVersion: older } = await of(device);
    await deployments.release(flow, '2', device);
    expect(await hello(device, older)).toMatchObject({ isCurrent: false });
    expect((await of(device)).flows).toMatchObject({
      [flow.id]: { currentVersion: '1', desiredVersion: '2' },
    });
    await hello(device, '1615500683');
    const deployment = await of(device);
    expect(deployment).toMatchObject({
      unknownBundle: true,
      currentBundleVersion: '1615500683',
      flows: { [flow.id]: { currentVersion: null, desiredVersion: '2' } },
    });
    expect(deployment.logs[0]).toMatchObject({ updateType: 'unknownBundle', attemptedBundle: '1615500683' });
    await run(device);
    expect(await of(device)).toMatchObject({
      unknownBundle: false,
      flows: { [flow.id]: { currentVersion: '2' } },
    });
  });

  it('creates a deployment for an embedded device without one, but not for other devices', async () => {
    const device = await deployments.device();
    expect(await hello(device, 'nullVersion')).toMatchObject({ version: 'nullVersion', isCurrent: true });
    expect(await of(device)).toMatchObject({ flows: {}, currentBundleVersion: 'nullVersion' });
    const standalone = await deployments.device({ deviceClass: 'standalone' });
    expect(await hello(standalone, 'nullVersion')).toBeUndefined();
  });

  it('deletes removed workflows that the device no longer runs', async () => {
    const flow = await deployments.flow(['1']);
    const device = await deployments.device();
    await deployments.release(flow, '1', device);
    await run(device);
    await deployments.release(flow, null, device);
    expect((await of(device)).flows).toMatchObject({
      [flow.id]: { currentVersion: '1', desiredVersion: null },
    });
    await run(device);
    expect(await of(device)).toMatchObject({ flows: {}, currentBundleVersion: 'nullVersion' });
  });
});

describe('desired bundle', () => {
  it('contains the complete input of the compiler', async () => {
    const device = await deployments.device();
    expect(await bundles().desired(application.id, device.id)).toBeUndefined();
    const trigger = { type: 'timer', key: 'second', config: { seconds: 1 }, outputIds: [] };
    const flow = await deployments.flow(['1'], { name: 'Alarm', triggers: [trigger] });
    const secret = { key: 'secret', json: '"s3cret"', cloudOnly: true };
    const shared = { key: 'open', json: '1', cloudOnly: false };
    await change('PATCH', '', { globals: [{ key: 'site', json: '"north"' }, secret, shared] });
    await deployments.release(flow, 'develop', device);
    const { id, desiredBundleVersion } = await of(device);
    const bundle = await bundles().desired(application.id, device.id);
    expect(bundle).toMatchObject({
      deviceId: device.id,
      deploymentId: id,
      identifier: desiredBundleVersion,
      globals: [{ key: 'site', json: '"north"' }, shared],
      flows: [
        { flowId: flow.id, name: 'Alarm', version: 'develop', graph: { triggers: [{ key: 'second' }] } },
      ],
    });
    await deployments.release(flow, '1', device);
    const released = await bundles().desired(application.id, device.id);
    expect(released?.flows).toMatchObject([{ version: '1', graph: { triggers: [] } }]);
    await change('PATCH', `/flows/${flow.id}`, { enabled: false });
    expect((await bundles().desired(application.id, device.id))?.flows).toEqual([]);
  });

  it('is logged once if it cannot be compiled', async () => {
    const flow = await deployments.flow();
    const device = await deployments.device();
    await deployments.release(flow, 'develop', device);
    const { desiredBundleVersion } = await of(device);
    for (let i = 0; i < 2; i++)
      await bundles().failed(application.id, device.id, desiredBundleVersion, 'workflow "Alarm": no');
    const { logs } = await of(device);
    expect(logs).toHaveLength(2);
    expect(logs[0]).toMatchObject({ attemptedBundle: desiredBundleVersion, error: 'workflow "Alarm": no' });
  });
});

describe('desired bundle version', () => {
  it('changes when a version, the workflow or globals change, and only then', async () => {
    const flow = await deployments.flow(['1']);
    const [develops, versioned] = [await deployments.device(), await deployments.device()];
    await deployments.release(flow, 'develop', develops);
    await deployments.release(flow, '1', versioned);
    const before = [await of(develops), await of(versioned)];
    /** Returns which of the two devices have a new bundle after a change, and the log entries. */
    const changed = async (...asked: Parameters<typeof change>) => {
      await change(...asked);
      const after = [await of(develops), await of(versioned)];
      const told = after.map((deployment, i) =>
        deployment.desiredBundleVersion > before[i].desiredBundleVersion
          ? deployment.logs[0].updateType
          : 'same',
      );
      before.splice(0, 2, ...after);
      return told;
    };
    const own = `/flows/${flow.id}`;
    expect(await changed('PATCH', own, { globals: [{ key: 'a', json: '1' }] })).toEqual([
      'replaceFlow',
      'same',
    ]);
    expect(await changed('PATCH', own, { description: 'Warns' })).toEqual(['same', 'same']);
    expect(await changed('PATCH', own, { name: 'Alarm' })).toEqual(['replaceFlow', 'replaceFlow']);
    expect(await changed('PATCH', '', { globals: [{ key: 'b', json: '2' }] })).toEqual([
      'globals',
      'globals',
    ]);
    const secret = { key: 'secret', json: '1', cloudOnly: true };
    expect(await changed('PATCH', '/globals', [secret])).toEqual(['same', 'same']);
    expect(await changed('PATCH', '', { description: 'Pumps' })).toEqual(['same', 'same']);
    const version = { version: '1', minimumAgentVersion: '1.0.0', globals: [{ key: 'c', json: '3' }] };
    expect(await changed('POST', `${own}/versions?allowReplacement=true`, version)).toEqual([
      'same',
      'replaceFlow',
    ]);
    expect(before[1].flows[flow.id].desiredVersion).toBe('1');
  });

  it('excludes deleted workflows and versions', async () => {
    const flow = await deployments.flow(['1', '2']);
    const other = await deployments.flow();
    const devices = [await deployments.device(), await deployments.device()];
    await deployments.release(flow, '1', devices[0]);
    await deployments.release(flow, '2', devices[1]);
    await deployments.release(other, 'develop', devices[1]);
    const { body } = await test.client.get(path(`/flows/${flow.id}/versions`), { token: user.token });
    await change('DELETE', `/flows/${flow.id}/versions/${body.items[0].id}`);
    expect(await of(devices[0])).toMatchObject({ flows: {}, desiredBundleVersion: 'nullVersion' });
    expect(Object.keys((await of(devices[1])).flows)).toHaveLength(2);
    await change('DELETE', `/flows/${flow.id}`);
    const left = await of(devices[1]);
    expect(Object.keys(left.flows)).toEqual([other.id]);
    expect(left.logs[0]).toMatchObject({ updateType: 'removeFlow', updateFlowId: flow.id });
  });

  it('is removed when the class of the device changes', async () => {
    const flow = await deployments.flow();
    const device = await deployments.device();
    await deployments.release(flow, 'develop', device);
    await change('PATCH', `/devices/${device.id}`, { deviceClass: 'standalone' });
    const deployment = await of(device);
    expect(deployment).toMatchObject({ flows: {}, desiredBundleVersion: 'nullVersion' });
    expect(deployment.logs[0]).toMatchObject({ updateType: 'device' });
  });

  it('is hidden while the device is deleted, and still follows changes', async () => {
    const flow = await deployments.flow(['1', '2']);
    const device = await deployments.device();
    await deployments.release(flow, '1', device);
    const { id } = await of(device);
    await change('DELETE', `/devices/${device.id}`);
    expect((await deployments.list()).body).toMatchObject({ items: [], totalCount: 0 });
    expect((await test.client.get(`${deployments.path}/${id}`, { token: user.token })).status).toBe(404);
    const body = { flowId: flow.id, version: '1', deviceIds: [device.id] };
    expect((await deployments.act('release', body)).status).toBe(404);
    expect(await hello(device, 'nullVersion')).toBeUndefined();
    await deployments.act('replace', { flowId: flow.id, oldVersion: '1', newVersion: '2' });
    await change('POST', '/devices/restore', { query: { id: device.id } });
    expect((await deployments.list()).body.totalCount).toBe(1);
    expect(await of(device)).toMatchObject({ id, flows: { [flow.id]: { desiredVersion: '2' } } });
  });

  it('is deleted when the device is permanently removed', async () => {
    const flow = await deployments.flow();
    const device = await deployments.device();
    await deployments.release(flow, 'develop', device);
    const removal = test.app.get(DeviceRemovalRepository, { strict: false });
    const gone = { applicationId: application.id, id: device.id };
    await removal.removeData(gone, new AbortController().signal);
    expect(await of(device)).toBeUndefined();
    const left = 'SELECT FROM embedded_deployment_flows WHERE device_id = $1';
    expect(await test.dataSource.query(left, [device.id])).toEqual([]);
    expect((await deployments.list()).body.totalCount).toBe(0);
  });
});
