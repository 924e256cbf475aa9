import { TestDeployments } from '../../../../test/make/deployments.js';
import { makeDevice } from '../../../../test/make/device-tokens.js';
import { CUSTOM_NODE } from '../../../../test/make/flows.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { EdgeAgentsRepository } from './edge-agents.repository.js';

const { test, user, application } = suite();
const deployments = new TestDeployments({ test, user, application }, 'edge');
const ETAG = /^[0-9a-f]{32}$/;

const agents = () => test.app.get(EdgeAgentsRepository, { strict: false });

describe('edge deployment release', () => {
  it('sets the desired version, which becomes current when the agent reports it', async () => {
    const flow = await deployments.flow(['1.0.0']);
    const device = await deployments.device({ name: 'Gate 3' });
    await deployments.release(flow, '1.0.0', device);
    const [deployment] = await deployments.of(device);
    expect(deployment).toMatchObject({
      edgeDeploymentId: deployment.id,
      applicationId: application.id,
      deviceId: device.id,
      deviceName: 'Gate 3',
      deviceConnectionInfo: { connected: null },
      flowId: flow.id,
      flowName: flow.name,
      flowClass: 'edge',
      fileName: `${flow.id}.flow`,
      desiredVersion: '1.0.0',
      desiredEtag: expect.stringMatching(ETAG),
    });
    expect(deployment).not.toHaveProperty('currentVersion');
    expect(deployment.logs).toEqual([
      {
        sourceType: 'user',
        sourceId: user.id,
        date: expect.any(String),
        changeType: 'desired',
        previousValue: null,
        newValue: '1.0.0',
        newEtag: deployment.desiredEtag,
      },
    ]);
    const own = await test.client.get(`${deployments.path}/${deployment.id}`, { token: user.token });
    expect(own.body).toEqual(deployment);

    const runs = { flowId: flow.id, version: '1.0.0', etag: deployment.desiredEtag };
    await agents().hello(application.id, device.id, { agentVersion: '1.2.0', flows: [runs] });
    const [running] = await deployments.of(device);
    expect(running).toMatchObject({ currentVersion: '1.0.0', currentEtag: deployment.desiredEtag });
    expect(running.logs[0]).toMatchObject({
      changeType: 'current',
      sourceType: 'device',
      sourceId: device.id,
      newValue: '1.0.0',
    });
    const path = `/applications/${application.id}/devices/${device.id}`;
    const { body } = await test.client.get(path, { token: user.token });
    expect(body.edgeAgentVersion).toBe('1.2.0');

    await agents().hello(application.id, device.id, { agentVersion: '1.2.0', flows: [runs] });
    expect(await deployments.of(device)).toEqual([running]);
    await agents().hello(application.id, device.id, { agentVersion: '1.2.0', flows: [] });
    const [stopped] = await deployments.of(device);
    expect(stopped).not.toHaveProperty('currentVersion');
    expect(stopped.logs[0]).toMatchObject({ previousValue: '1.0.0', newValue: null });
  });

  it('keeps one row per device and workflow, and logs failures', async () => {
    const [one, two] = [await deployments.flow(['1', '2']), await deployments.flow()];
    const device = await deployments.device();
    await deployments.release(one, '1', device);
    await deployments.release(one, '2', device);
    await deployments.release(one, '2', device);
    await deployments.release(two, 'develop', device);
    await agents().report(application.id, device.id, [{ flowId: one.id, error: 'No room' }]);
    const rows = await deployments.of(device);
    expect(rows.map((row) => [row.flowId, row.desiredVersion, row.logs.length]).sort()).toEqual(
      [
        [one.id, '2', 3],
        [two.id, 'develop', 1],
      ].sort(),
    );
    const row = rows.find(({ flowId }) => flowId === one.id);
    expect(row.logs[0]).toMatchObject({
      attemptedValue: '2',
      attemptedEtag: row.desiredEtag,
      error: 'No room',
    });
    expect(row.logs[1]).toMatchObject({ previousValue: '1', newValue: '2' });
  });

  it('supports custom nodes for edge', async () => {
    const device = await deployments.device();
    const node = await deployments.flow([], { ...CUSTOM_NODE, customNodeSupports: ['edge'] });
    await deployments.release(node, 'develop', device);
    expect(await deployments.of(device)).toMatchObject([{ flowId: node.id, flowClass: 'customNode' }]);
    const cloud = await deployments.flow([], {
      ...CUSTOM_NODE,
      minimumAgentVersion: undefined,
      customNodeSupports: ['cloud'],
    });
    const body = { flowId: cloud.id, version: 'develop', deviceIds: [device.id] };
    expect((await deployments.act('release', body)).body.message).toBe(
      `edgeDeploymentRelease.flowId must be the ID of a custom node that supports edge: ${cloud.id} does not`,
    );
  });

  it('rejects incompatible workflows and devices', async () => {
    const flow = await deployments.flow();
    const embedded = await deployments.flow([], { flowClass: 'embedded' });
    const device = await deployments.device();
    const standalone = await makeDevice(test, user.token, application.id);
    const ask = async (flowId: string, deviceId: string, version = 'develop') => {
      const { status, body } = await deployments.act('release', { flowId, version, deviceIds: [deviceId] });
      return [status, body.message];
    };
    const name = 'edgeDeploymentRelease';
    expect(await ask(embedded.id, device.id)).toEqual([
      400,
      `${name}.flowId must be the ID of a workflow of class edge or customNode: ${embedded.id} is of class embedded`,
    ]);
    expect(await ask(flow.id, standalone.id)).toEqual([
      400,
      `${name}.deviceIds must be IDs of devices of class edgeCompute: ${standalone.id} is of class standalone`,
    ]);
    expect((await ask(flow.id, device.id, '1'))[0]).toBe(400);
    expect((await ask(newId(), device.id))[0]).toBe(404);
    expect((await ask(flow.id, newId()))[0]).toBe(404);
    expect(await deployments.of(device)).toEqual([]);
  });
});

describe('edge deployments', () => {
  it('are kept without versions after they are removed', async () => {
    const [one, two] = [await deployments.flow(['1', '2']), await deployments.flow()];
    const devices = [await deployments.device(), await deployments.device()];
    for (const device of devices) {
      await deployments.release(one, '1', device);
      await deployments.release(two, 'develop', device);
    }
    const versions = async () => {
      const { body } = await deployments.list('filterEmpty=true&sortField=id');
      expect(body.totalCount).toBe(body.count);
      return body.items.map(({ deviceId, desiredVersion }: any) => [
        devices.findIndex(({ id }) => id === deviceId),
        desiredVersion,
      ]);
    };
    await deployments.act('replace', { flowId: one.id, oldVersion: '1', newVersion: '2' });
    expect(await versions()).toEqual([
      [0, '2'],
      [0, 'develop'],
      [1, '2'],
      [1, 'develop'],
    ]);
    await deployments.act('remove', { flowId: null, deviceId: devices[0].id });
    await deployments.act('remove', { flowId: two.id, deviceId: devices[1].id });
    expect(await versions()).toEqual([[1, '2']]);
    await deployments.act('replace', { flowId: one.id, oldVersion: '2', newVersion: null });
    expect(await versions()).toEqual([]);
    const { body } = await deployments.list();
    expect([body.count, body.totalCount]).toEqual([4, 4]);
    expect(body.items[0].logs[0]).toMatchObject({
      newValue: null,
      previousEtag: expect.stringMatching(ETAG),
    });
  });

  it('can be sorted by every sort field, and filtered', async () => {
    const [one, two] = [await deployments.flow(['1']), await deployments.flow(['2'])];
    const device = await deployments.device();
    await deployments.release(one, '1', device);
    await deployments.release(two, '2', device);
    const flows = async (query: string) =>
      (await deployments.list(query)).body.items.map((row: any) => row.flowId);
    const sorts = [
      'id',
      'deviceId',
      'flowId',
      'desiredVersion',
      'currentVersion',
      'creationDate',
      'lastUpdated',
    ];
    for (const sortField of sorts) {
      expect(await flows(`sortField=${sortField}`)).toEqual([one.id, two.id]);
      expect(await flows(`sortField=${sortField}&sortDirection=desc`)).toEqual([two.id, one.id]);
    }
    expect(await flows(`flowId=${two.id}`)).toEqual([two.id]);
    expect(await flows('version=1')).toEqual([one.id]);
    expect(await flows(`version=1&flowId=${two.id}`)).toEqual([]);
    expect((await deployments.list(`deviceId=${newId()}`)).status).toBe(404);
    const missing = await test.client.get(`${deployments.path}/${newId()}`, { token: user.token });
    expect(missing.body.message).toBe('Edge deployment was not found');
  });

  it('get a new ETag when the version or the name of the workflow changes', async () => {
    const flow = await deployments.flow();
    const device = await deployments.device();
    await deployments.release(flow, 'develop', device);
    const etags = new Set<string>();
    const note = async () => {
      await deployments.work();
      etags.add((await deployments.of(device))[0].desiredEtag);
    };
    await note();
    const path = `/applications/${application.id}`;
    for (const [at, patch] of [
      [`${path}/flows/${flow.id}`, { globals: [{ key: 'limit', json: '3' }] }],
      [`${path}/flows/${flow.id}`, { name: 'Another name' }],
      [`${path}/flows/${flow.id}`, { enabled: false }],
    ] as const) {
      expect((await test.client.patch(at, patch, { token: user.token })).status).toBe(200);
      await note();
    }
    expect(etags.size).toBe(4);
    const globals = [{ key: 'site', json: '"north"' }];
    await test.client.patch(`${path}/globals`, globals, { token: user.token });
    await test.client.patch(`${path}/flows/${flow.id}`, { description: 'Warns' }, { token: user.token });
    await note();
    expect(etags.size).toBe(4);
  });

  it('are deleted with their workflow unless a device still runs it', async () => {
    const flow = await deployments.flow(['1']);
    const [runs, waits] = [await deployments.device(), await deployments.device()];
    await deployments.release(flow, '1', runs, waits);
    const [{ desiredEtag: etag }] = (await deployments.of(runs)) as [any];
    const flows = [{ flowId: flow.id, version: '1', etag }];
    await agents().hello(application.id, runs.id, { agentVersion: '1.2.0', flows });
    const path = `/applications/${application.id}/flows/${flow.id}`;
    await test.client.delete(path, { token: user.token });
    await deployments.work();
    expect(await deployments.of(waits)).toEqual([]);
    const [left] = await deployments.of(runs);
    expect(left).toMatchObject({ currentVersion: '1', flowId: flow.id });
    expect(left).not.toHaveProperty('desiredVersion');
    expect(left).not.toHaveProperty('flowName');
  });
});
