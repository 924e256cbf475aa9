import { TestDeployments } from '../../../../test/make/deployments.js';
import { CUSTOM_NODE, executing } from '../../../../test/make/flows.js';
import { suite } from '../../../../test/setup/suite.js';
import { EdgeContentsRepository } from './edge-contents.repository.js';
import { EdgeAgentsRepository } from './edge-agents.repository.js';

const { test, user, application } = suite();
const deployments = new TestDeployments({ test, user, application }, 'edge');
type Named = { id: string };
const AGENT = { minimumAgentVersion: '1.41.0' };

const customNode = (versions: string[] = [], body: object = {}): Promise<any> =>
  deployments.flow(
    versions,
    { ...CUSTOM_NODE, ...AGENT, customNodeSupports: ['edge'], ...body },
    {
      triggers: CUSTOM_NODE.triggers,
      nodes: CUSTOM_NODE.nodes,
    },
  );
/** Creates a workflow that executes custom nodes. */
const flowOf = (...nodes: object[]): Promise<any> =>
  deployments.flow(['1'], { ...AGENT, nodes: numbered(nodes) }, { ...AGENT, nodes: numbered(nodes) });
const numbered = (nodes: object[]) => nodes.map((node, i) => ({ ...node, id: `node${i}` }));
const change = async (flow: Named, body: object): Promise<void> => {
  const path = `/applications/${application.id}/flows/${flow.id}`;
  const { status, body: answer } = await test.client.patch(path, body, { token: user.token });
  if (status !== 200) throw new Error(JSON.stringify(answer));
  await deployments.work();
};

/** Returns the desired version of each workflow of a device, by ID. */
async function versionsOf(device: Named): Promise<Record<string, string | undefined>> {
  await deployments.work();
  const rows = await deployments.of(device);
  return Object.fromEntries(rows.map(({ flowId, desiredVersion }) => [flowId, desiredVersion]));
}

describe('Custom nodes of workflows on gateways', () => {
  it('come and go with the workflows that execute them', async () => {
    const inner = await customNode(['3']);
    const outer = await customNode([], {
      nodes: [
        { ...executing(inner.id, '3'), id: 'inner', outputIds: [['end']] },
        { id: 'end', type: 'CustomNodeCapNode', outputIds: [] },
      ],
    });
    const [one, two] = [
      await flowOf(executing(outer.id)),
      await flowOf(executing(inner.id.toUpperCase(), '3')),
    ];
    const device = await deployments.device();
    await deployments.release(one, '1', device);
    const released = { [one.id]: '1', [outer.id]: 'develop', [inner.id]: '3' };
    expect(await versionsOf(device)).toEqual(released);
    const [, node] = await deployments.of(device);
    expect(node).toMatchObject({
      flowClass: 'customNode',
      desiredEtag: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(node.logs).toEqual([
      expect.objectContaining({
        changeType: 'desired',
        sourceType: 'user',
        sourceId: user.id,
        newEtag: node.desiredEtag,
      }),
    ]);
    const contents = test.app.get(EdgeContentsRepository, { strict: false });
    const sent = await contents.flows(application.id, device.id, [outer.id, inner.id]);
    expect(sent.map(({ json }) => JSON.parse(json).flowClass)).toEqual(['customNode', 'customNode']);

    await deployments.release(two, '1', device);
    await deployments.release(one, null, device);
    expect(await versionsOf(device)).toEqual({
      ...released,
      [one.id]: undefined,
      [outer.id]: undefined,
      [two.id]: '1',
    });
    const agents = test.app.get(EdgeAgentsRepository, { strict: false });
    await agents.hello(application.id, device.id, {
      agentVersion: '1.42.0',
      flows: [{ flowId: inner.id, version: '3', etag: 'any' }],
    });
    await deployments.act('remove', { flowId: null, deviceId: device.id });
    const rows = await deployments.of(device);
    expect(rows.map(({ desiredVersion }) => desiredVersion)).toEqual(rows.map(() => undefined));
    expect(rows.find(({ flowId }) => flowId === inner.id)).toMatchObject({ currentVersion: '3' });
  });

  it('follow the default version, saves of workflows and saves of custom nodes', async () => {
    const node = await customNode(['2']);
    const other = await customNode();
    const flow = await flowOf(executing(node.id, 'default'));
    const device = await deployments.device();
    await deployments.release(flow, 'develop', device);
    expect(await versionsOf(device)).toEqual({ [flow.id]: 'develop', [node.id]: 'develop' });
    const etag = async () =>
      (await deployments.of(device)).find(({ flowId }) => flowId === node.id).desiredEtag;
    const before = await etag();
    await change(node, { name: 'Another name' });
    expect(await etag()).not.toBe(before);
    const versions = `/applications/${application.id}/flows/${node.id}/versions`;
    const { body } = await test.client.get(versions, { token: user.token });
    await change(node, { defaultVersionId: body.items.find(({ version }: any) => version === '2').id });
    expect(await versionsOf(device)).toEqual({ [flow.id]: 'develop', [node.id]: '2' });
    await change(flow, { nodes: [executing(other.id)] });
    expect(await versionsOf(device)).toEqual({
      [flow.id]: 'develop',
      [node.id]: undefined,
      [other.id]: 'develop',
    });
  });

  it('keep a version that was released itself, until it is removed', async () => {
    const node = await customNode(['1', '2']);
    const flow = await flowOf(executing(node.id, '1'));
    const device = await deployments.device();
    await deployments.release(flow, '1', device);
    await deployments.act('replace', { flowId: node.id, oldVersion: '1', newVersion: '2' });
    expect(await versionsOf(device)).toMatchObject({ [node.id]: '1' });
    await deployments.release(node, '2', device);
    await change(node, { name: 'Another name' });
    expect(await versionsOf(device)).toMatchObject({ [node.id]: '2' });
    await deployments.release(node, null, device);
    expect(await versionsOf(device)).toMatchObject({ [node.id]: '1' });
    await deployments.release(node, '1', device);
    await deployments.release(flow, null, device);
    expect(await versionsOf(device)).toEqual({ [flow.id]: undefined, [node.id]: '1' });
  });

  it('have the newest of the versions that workflows execute', async () => {
    const node = await customNode(['b', 'a']);
    const device = await deployments.device();
    for (const version of ['a', 'b'])
      await deployments.release(await flowOf(executing(node.id, version)), '1', device);
    expect(await versionsOf(device)).toMatchObject({ [node.id]: 'a' });
  });

  it('are left out if they do not exist, do not support gateways, or belong to the instance; cycles end', async () => {
    const cloud = await customNode([], { customNodeSupports: ['cloud'], minimumAgentVersion: undefined });
    const node = await customNode(['1']);
    const other = await customNode([], { nodes: [executing(node.id), ...CUSTOM_NODE.nodes!] });
    await change(node, { nodes: [executing(other.id), ...CUSTOM_NODE.nodes!] });
    const instance = executing(node.id, '1');
    const flow = await flowOf(executing('5'.repeat(24)), executing(node.id, 'missing'), executing(cloud.id), {
      ...instance,
      config: { ...(instance as any).config, isInstance: true },
    });
    const device = await deployments.device();
    await deployments.release(flow, '1', device);
    expect(await versionsOf(device)).toEqual({ [flow.id]: '1' });
    await deployments.release(await flowOf(executing(node.id)), '1', device);
    expect(await versionsOf(device)).toMatchObject({ [node.id]: 'develop', [other.id]: 'develop' });
  });

  it('are deleted with the custom node', async () => {
    const node = await customNode();
    const flow = await deployments.flow([], { ...AGENT, nodes: [executing(node.id)] });
    const device = await deployments.device();
    await deployments.release(flow, 'develop', device);
    await change(flow, { nodes: [] });
    expect(await versionsOf(device)).toEqual({ [flow.id]: 'develop', [node.id]: undefined });
    const path = `/applications/${application.id}/flows/${node.id}`;
    expect((await test.client.delete(path, { token: user.token })).status).toBe(200);
    expect(await versionsOf(device)).toEqual({ [flow.id]: 'develop' });
  });
});
