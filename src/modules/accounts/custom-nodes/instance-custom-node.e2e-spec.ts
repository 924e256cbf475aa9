import { UNKNOWN } from '../../../../test/make/api-tokens.js';
import { instanceWithNodes, NODE } from '../../../../test/make/custom-nodes.js';
import { executing, makeFlow, makeVersion } from '../../../../test/make/flows.js';
import {
  makeApplication,
  makeInstance,
  makeInstanceMember,
  makeOrg,
  makeUser,
  tokenOf,
} from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';

const { triggers, nodes } = NODE;
const CONFIG = { outputCount: 1, resultMode: 'optional', fields: [] };
const ICON = 'data:image/png;base64,iVBORw0KGgo=';

const { test } = suite();

const instance = (more?: object) => instanceWithNodes(test, more);

/** Creates a user of the instance, who creates workflows there. */
async function userOf(instanceId: string) {
  const { token } = await makeUser(test, { instanceId });
  const use = async (application: { id: string }, nodeId: string) =>
    makeFlow(test, token, application.id, { nodes: [executing(nodeId)] });
  return { token, use };
}

describe('A custom node of an instance', () => {
  it('updates the given properties and keeps the others', async () => {
    const { made, get, patch } = await instance();
    const node = await made({ category: 'logic', iconData: ICON, description: 'before' });
    const { status, body } = await patch(node.id.toUpperCase(), {
      name: 'Mean',
      category: '',
      iconData: null,
    });
    expect(status).toBe(200);
    const { category: _none, iconData: _neither, ...rest } = node;
    expect(body).toEqual({ ...rest, name: 'Mean', lastUpdated: body.lastUpdated });
    expect(body.lastUpdated > node.lastUpdated).toBe(true);
    expect((await get(node.id)).body).toEqual(body);
  });

  it('validates the graph as a whole when a part of it changes', async () => {
    const { made, get, patch } = await instance();
    const node = await made();
    const refused = await patch(node.id, { nodes: [{ id: 'other', type: 'CustomNodeCapNode' }] });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toBe(
      'instanceCustomNode.triggers.0 (customNodeStart): Referenced output ID end does not exist.',
    );
    const itself = await patch(node.id, { nodes: [...nodes, executing(node.id.toUpperCase())] });
    expect(itself.body.message).toContain('A custom node cannot execute itself.');
    expect((await get(node.id)).body).toEqual(node);
    const both = {
      triggers: [{ type: 'customNodeStart', outputIds: [['other']] }],
      nodes: [{ id: 'other', type: 'CustomNodeCapNode' }],
    };
    expect((await patch(node.id, both)).status).toBe(200);
    expect((await patch(node.id, { customNodeConfig: CONFIG })).body).toMatchObject({ nodes: both.nodes });
  });

  it('rejects one of two concurrent updates that conflict', async () => {
    const { made, get, patch } = await instance();
    const node = await made({ nodes: [...nodes, { id: 'log', type: 'DebugNode' }] });
    // Each update is valid by itself; together, the trigger would refer to a deleted node.
    const answers = await Promise.all([
      patch(node.id, { nodes }),
      patch(node.id, { triggers: [{ type: 'customNodeStart', outputIds: [['log']] }] }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const { body } = await get(node.id);
    const ids = body.nodes.map((known: { id: string }) => known.id);
    expect(ids).toContain(body.triggers[0].outputIds[0][0]);
  });

  it('reports its usage per organization, and of applications owned by users', async () => {
    const { id: instanceId, made, get, list } = await instance();
    const node = await made();
    const other = await made({ name: 'Other' });
    const { token, use } = await userOf(instanceId);
    const org = await makeOrg(test, token, { iconColor: '#123456' });
    const plain = await makeOrg(test, token);
    const [first, second] = [
      await makeApplication(test, token, { orgId: org.id }),
      await makeApplication(test, token, { orgId: org.id }),
    ];
    const ofPlain = await makeApplication(test, token, { orgId: plain.id });
    const own = await makeApplication(test, token);
    const used = await use(first, node.id.toUpperCase());
    await makeVersion(test, token, used, { nodes: [executing(node.id)] });
    await use(first, node.id);
    const before = await makeFlow(test, token, second.id);
    await makeVersion(test, token, before, { nodes: [executing(node.id)] });
    await use(ofPlain, node.id);
    await use(own, node.id);
    await use(own, other.id);
    const usage = {
      [org.id]: { orgName: org.name, orgIconColor: '#123456', appCount: 2, flowCount: 3 },
      [plain.id]: { orgName: plain.name, appCount: 1, flowCount: 1 },
      sandbox: { appCount: 1, flowCount: 1 },
    };
    expect((await get(node.id)).body.usage).toEqual(usage);
    expect((await list()).body.items.map((item: { usage: object }) => item.usage)).toEqual([
      usage,
      { sandbox: { appCount: 1, flowCount: 1 } },
    ]);
    await test.client.delete(`/applications/${own.id}`, { token });
    expect((await get(other.id)).body.usage).toEqual({});
  });

  it('ignores workflows of other instances in its usage', async () => {
    const { made, get, remove } = await instance();
    const node = await made();
    const elsewhere = await makeInstance(test);
    const { token, use } = await userOf(elsewhere.id);
    await use(await makeApplication(test, token), node.id);
    expect((await get(node.id)).body.usage).toEqual({});
    expect((await remove(node.id)).status).toBe(200);
  });

  it('cannot be deleted while a workflow or another custom node executes it', async () => {
    const { id: instanceId, made, get, patch, remove } = await instance();
    const node = await made();
    const { token, use } = await userOf(instanceId);
    const application = await makeApplication(test, token);
    const flow = await use(application, node.id);
    const path = `/applications/${application.id}/flows/${flow.id}`;
    const refused = async () => {
      const { status, body } = await remove(node.id);
      expect([status, body.message]).toEqual([
        400,
        'instanceCustomNode cannot be deleted: workflows or other custom nodes use it',
      ]);
    };
    await refused();
    const version = await makeVersion(test, token, flow, { nodes: [executing(node.id)] });
    await test.client.patch(path, { nodes: [] }, { token });
    await refused();
    await test.client.delete(`${path}/versions/${version.id}`, { token });
    const user = await made({ nodes: [...nodes, executing(node.id.toUpperCase())] });
    await refused();
    await patch(user.id, { nodes });
    expect((await remove(node.id)).body).toEqual({ success: true });
    for (const answer of [await get(node.id), await patch(node.id, { triggers }), await remove(node.id)])
      expect(answer.status).toBe(404);
  });

  it('returns statistics with counts of 0 and no errors', async () => {
    const { id: instanceId, path, token, made } = await instance();
    const node = await made();
    const at = `${path}/${node.id}`;
    const end = Date.parse('2026-06-13T04:00:00.000Z');
    const { body } = await test.client.get(`${at}/stats?duration=7200000&end=${end}&resolution=3600000`, {
      token,
    });
    const zero = { runCount: 0, pathsCompleted: 0, pathsFailed: 0, wallTime: 0 };
    expect(body).toEqual({
      start: '2026-06-13T02:00:00.000Z',
      end: '2026-06-13T04:00:00.000Z',
      resolution: 3_600_000,
      metrics: [
        { time: '2026-06-13T02:00:00.000Z', ...zero },
        { time: '2026-06-13T03:00:00.000Z', ...zero },
      ],
    });
    expect((await test.client.get(`${at}/stats`, { token })).body.metrics).toHaveLength(24);
    expect((await test.client.get(`${at}/stats?resolution=1`, { token })).status).toBe(400);
    const errors = await test.client.get(`${at}/errors?end=${end}&limit=3&sortDirection=asc`, { token });
    expect(errors.body).toEqual({
      start: '2026-06-12T04:00:00.000Z',
      end: '2026-06-13T04:00:00.000Z',
      limit: 3,
      sortDirection: 'asc',
      errors: [],
    });
    for (const query of ['errors?limit=0', 'errors?sortDirection=up', 'stats?duration=0', 'stats?end=x'])
      expect((await test.client.get(`${at}/${query}`, { token })).status).toBe(400);
    for (const part of ['stats', 'errors'])
      expect(
        (await test.client.get(`/instances/${instanceId}/nodes/${UNKNOWN}/${part}`, { token })).status,
      ).toBe(404);
  });

  it('can be read by members of the instance and changed by its admins', async () => {
    const { id: instanceId, path, made, create, list, get, patch, remove } = await instance();
    const node = await made();
    const viewer = await makeInstanceMember(test, 'view', { instanceId });
    const stranger = await makeUser(test, { instanceId });
    for (const [token, read, write] of [
      [viewer.token, 200, 403],
      [stranger.token, 404, 404],
    ] as const) {
      expect((await list('', token)).status).toBe(read);
      expect((await get(node.id, token)).status).toBe(read);
      for (const part of ['stats', 'errors'])
        expect((await test.client.get(`${path}/${node.id}/${part}`, { token })).status).toBe(read);
      expect((await create(NODE, token)).status).toBe(write);
      expect((await patch(node.id, { name: 'x' }, token)).status).toBe(write);
      expect((await remove(node.id, token)).status).toBe(write);
    }
    expect((await test.client.get(path)).status).toBe(401);
  });

  it.each([
    ['all.Instance', 200, 200, 201, 200],
    ['all.Instance.bounded', 403, 200, 403, 200],
    ['all.User.read', 200, 200, 403, 403],
    ['instanceCustomNodes.*', 200, 403, 201, 403],
    ['instanceCustomNode.patch', 403, 403, 403, 200],
    ['all.Organization', 403, 403, 403, 403],
  ])(
    'with the scope %s, answers list with %i, get with %i, create with %i and update with %i',
    async (scope, ...statuses) => {
      const { admin, made, list, get, create, patch } = await instance();
      const node = await made();
      const token = tokenOf(test, admin.id, [scope]);
      const answers = [
        await list('', token),
        await get(node.id, token),
        await create(NODE, token),
        await patch(node.id, { name: 'x' }, token),
      ];
      expect(answers.map(({ status }) => status)).toEqual(statuses);
    },
  );

  it('appears in the audit log of the instance', async () => {
    const { id, token, made, patch, remove } = await instance();
    const node = await made();
    await patch(node.id, { name: 'Mean' });
    await patch(node.id, { triggers });
    await remove(node.id);
    const { body } = await test.client.get(`/instance/${id}/audit-logs?sortDirection=asc`, { token });
    expect(
      body.items.map((entry: Record<string, string>) => [
        `${entry.requestResource}.${entry.requestAction}`,
        entry.primaryTargetType,
        entry.primaryTargetId,
        entry.primaryTargetName,
      ]),
    ).toEqual([
      ['instanceCustomNodes.post', 'InstanceCustomNode', node.id, 'Average'],
      ['instanceCustomNode.patch', 'InstanceCustomNode', node.id, 'Mean'],
      ['instanceCustomNode.patch', 'InstanceCustomNode', node.id, 'Mean'],
      ['instanceCustomNode.delete', 'InstanceCustomNode', node.id, 'Mean'],
    ]);
  });
});
