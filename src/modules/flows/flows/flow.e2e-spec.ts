import {
  CUSTOM_NODE,
  derivedOf,
  executing,
  makeFlow,
  makeRuns,
  makeVersion,
} from '../../../../test/make/flows.js';
import { makeApplication, makeMember, makeOrg, makeUser, tokenOf } from '../../../../test/make/make.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { newId } from '../../../platform/repositories/resource.js';
import { ID, OTHER_ID } from '../../../../test/make/graphs.js';
import { suite } from '../../../../test/setup/suite.js';

const { test, user } = suite();
let send: ReturnType<typeof statementCounter>;
let application: any;

beforeAll(() => {
  send = statementCounter(test);
});

beforeEach(async () => {
  application = await makeApplication(test, user.token);
});

const make = (body: object = {}) => makeFlow(test, user.token, application.id, body);
const pathOf = (id: string, applicationId = application.id) => `/applications/${applicationId}/flows/${id}`;
const get = (id: string, token = user.token) => test.client.get(pathOf(id), { token });
const patch = (id: string, body: unknown, token = user.token) =>
  test.client.patch(pathOf(id), body, { token });
const remove = (id: string, token = user.token) => test.client.delete(pathOf(id), { token });
const webhook = (key: string) => ({ type: 'webhook', key });
const minutes = (count: number) => new Date(Date.now() - count * 60_000);

describe('A workflow', () => {
  it('is returned by one statement, with the runs of the last 24 hours', async () => {
    const flow = await make();
    const [one, gone] = [await makeVersion(test, user.token, flow), newId()];
    await makeRuns(test, flow, [
      { flowVersionId: null },
      { flowVersionId: null, pathsFailed: 2 },
      { flowVersionId: one.id, pathsFailed: 1, requestedAt: minutes(23 * 60) },
      { flowVersionId: gone },
      { flowVersionId: one.id, requestedAt: minutes(25 * 60) },
    ]);
    await get(flow.id);
    const { body, statements } = await send('GET', pathOf(flow.id), user.token);
    expect(statements).toHaveLength(1);
    expect(body).toEqual({
      ...flow,
      stats: {
        runCount: 4,
        errorCount: 2,
        byVersion: { develop: { runCount: 2, errorCount: 1 }, [one.version]: { runCount: 1, errorCount: 1 } },
      },
    });
  });

  it('has `deletedInDevelop` set if only experience versions contain it', async () => {
    const flow = await make({ flowClass: 'experience' });
    expect(flow).not.toHaveProperty('deletedInDevelop');
    await test.dataSource.query('UPDATE flows SET in_develop = false WHERE id = $1', [flow.id]);
    expect((await get(flow.id)).body.deletedInDevelop).toBe(true);
  });

  it('returns 404 below another application', async () => {
    const flow = await make();
    const other = await makeApplication(test, user.token);
    for (const path of [pathOf(flow.id, other.id), pathOf(newId())])
      for (const answer of [
        await test.client.get(path, { token: user.token }),
        await test.client.patch(path, { name: 'b' }, { token: user.token }),
        await test.client.patch(path, { nodes: [] }, { token: user.token }),
        await test.client.delete(path, { token: user.token }),
      ])
        expect(answer).toMatchObject({ status: 404, body: { message: 'Flow was not found' } });
    expect((await get(flow.id.toUpperCase())).body).toEqual(flow);
    expect((await get('develop')).status).toBe(400);
  });

  it.each([
    ['none', 404, 404],
    ['view', 200, 403],
    ['collaborate', 200, 200],
  ] as const)('with the role %s, answers reads with %i and changes with %i', async (role, read, written) => {
    const org = await makeOrg(test, user.token);
    application = await makeApplication(test, user.token, { orgId: org.id });
    const flow = await make();
    const { token } = await makeMember(test, org.id, role);
    expect((await get(flow.id, token)).status).toBe(read);
    expect((await patch(flow.id, { enabled: false }, token)).status).toBe(written);
    expect((await remove(flow.id, token)).status).toBe(written);
  });

  it.each([
    ['flow.get', 200, 403],
    ['flow.patch', 403, 200],
    ['flow.*', 200, 200],
    ['all.Application.read', 200, 403],
    ['all.Application.bounded', 200, 200],
    ['flows.*', 403, 403],
  ])('with the scope %s, answers reads with %i and changes with %i', async (scope, read, written) => {
    const flow = await make();
    const token = tokenOf(test, user.id, [scope]);
    expect((await get(flow.id, token)).status).toBe(read);
    expect((await patch(flow.id, { nodes: [] }, token)).status).toBe(written);
  });
});

describe('Recent items', () => {
  const look = (itemId: string, token: string) =>
    test.client.post('/me/recentItems', { itemType: 'flow', itemId }, { token });

  it('include a workflow that the user can view', async () => {
    const flow = await make();
    const { status, body } = await look(flow.id, user.token);
    expect(status).toBe(200);
    expect(body.items).toEqual([{ id: flow.id, name: flow.name }]);
    const stranger = await makeUser(test);
    expect((await look(flow.id, stranger.token)).body.message).toBe(
      'recentItem.itemId does not match any flow that you can access',
    );
  });
});

describe('PATCH of a workflow', () => {
  it('keeps omitted properties', async () => {
    const flow = await make({
      description: 'd',
      category: 'data',
      iconData: 'data:image/png;base64,iVBORw0KGgo=',
    });
    const changed = await patch(flow.id, { enabled: false, category: '', iconData: null });
    const { category: _category, iconData: _icon, ...rest } = flow;
    expect(changed.body).toEqual({ ...rest, enabled: false, lastUpdated: expect.any(String) });
    expect((await get(flow.id)).body).toEqual(changed.body);
  });

  it('applies concurrent updates', async () => {
    const flow = await make();
    const nodes = [{ id: 'log', type: 'DebugNode' }];
    const answers = await Promise.all([
      patch(flow.id, { triggers: [webhook(ID)] }),
      patch(flow.id, { nodes }),
      patch(flow.id, { globals: [{ key: 'k', json: '1' }] }),
      patch(flow.id, { name: 'Renamed' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await get(flow.id)).body).toMatchObject({
      triggers: [webhook(ID)],
      nodes,
      globals: [{ key: 'k', json: '1' }],
      name: 'Renamed',
    });
  });

  it('validates the changes together with the existing graph', async () => {
    const flow = await make({
      triggers: [{ ...webhook(ID), outputIds: [['log']] }],
      nodes: [{ id: 'log', type: 'DebugNode' }],
    });
    const refused = await patch(flow.id, { nodes: [{ id: 'other', type: 'DebugNode' }] });
    const message = 'flow.triggers.0 (webhook): Referenced output ID log does not exist.';
    expect(refused).toMatchObject({ status: 400, body: { message } });
    expect((await get(flow.id)).body).toEqual(flow);
    const both = { triggers: [], nodes: [{ id: 'other', type: 'DebugNode' }] };
    expect((await patch(flow.id, both)).body).toMatchObject(both);
  });

  it('rejects one of two concurrent updates of triggers and nodes that conflict', async () => {
    const flow = await make({ nodes: [{ id: 'log', type: 'DebugNode' }] });
    const answers = await Promise.all([
      patch(flow.id, { triggers: [{ ...webhook(ID), outputIds: [['log']] }] }),
      patch(flow.id, { nodes: [] }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it.each([
    [{ flowClass: 'edge' }, 'flow.flowClass is not a property of flow'],
    [{ customNodeSupports: ['edge'] }, 'flow.customNodeSupports is not a property of flow'],
    [{ name: null }, 'flow.name must be a string'],
    [{ defaultVersionId: newId() }, 'flow.defaultVersionId is not a version of this workflow'],
    [
      { nodes: [{ id: 'a', type: 'A', outputIds: [['a']] }] },
      'flow.nodes.0 (a): A node cannot connect to itself.',
    ],
    [
      { triggers: [{ type: 'serial' }] },
      'flow.triggers.0 (serial): serial is not valid for Cloud workflows.',
    ],
  ])('rejects %j', async (body, message) => {
    const flow = await make();
    expect(await patch(flow.id, body)).toMatchObject({ status: 400, body: { type: 'Validation', message } });
    expect((await get(flow.id)).body).toEqual(flow);
  });

  it('rejects a custom node that executes itself', async () => {
    const { id } = await make(CUSTOM_NODE);
    const answer = await patch(id, { nodes: [...CUSTOM_NODE.nodes!, executing(id.toUpperCase())] });
    expect(answer.body.message).toBe('flow.nodes.1 (execute): A custom node cannot execute itself.');
  });

  it('accepts a higher minimum agent version and rejects a lower one', async () => {
    const { id } = await make({ flowClass: 'edge', minimumAgentVersion: '1.9.0' });
    expect((await patch(id, { minimumAgentVersion: '1.10.0' })).body.minimumAgentVersion).toBe('1.10.0');
    const lower = await patch(id, { minimumAgentVersion: '1.9.9' });
    const message = 'flow.minimumAgentVersion must not be less than its current value 1.10.0';
    expect(lower).toMatchObject({ status: 400, body: { message } });
    expect((await patch(id, { minimumAgentVersion: '1.10.0' })).status).toBe(200);
  });
});

describe('Default version of a workflow', () => {
  it('is the development version unless another version is set', async () => {
    const flow = await make({ triggers: [webhook(ID)] });
    const version = await makeVersion(test, user.token, flow, { triggers: [webhook(OTHER_ID)] });
    expect((await derivedOf(test, flow.id)).live_triggers).toEqual([webhook(ID)]);

    const pinned = await patch(flow.id, { defaultVersionId: version.id.toUpperCase() });
    expect(pinned.body.defaultVersionId).toBe(version.id);
    expect((await derivedOf(test, flow.id)).live_triggers).toEqual([webhook(OTHER_ID)]);

    await patch(flow.id, { triggers: [], nodes: [{ type: 'A', config: { deviceId: ID } }] });
    expect(await derivedOf(test, flow.id)).toEqual({ live_triggers: [webhook(OTHER_ID)], named_ids: [ID] });

    const developed = await patch(flow.id, {
      defaultVersionId: null,
      triggers: [webhook(ID), { type: 'timer' }],
    });
    expect(developed.body).not.toHaveProperty('defaultVersionId');
    const { live_triggers: live } = await derivedOf(test, flow.id);
    expect(live).toEqual(developed.body.triggers);
  });

  it('must belong to the workflow, and cannot be set on an experience workflow', async () => {
    const flow = await make();
    const foreign = await makeVersion(test, user.token, await make());
    const refused = await patch(flow.id, { defaultVersionId: foreign.id });
    expect(refused.body.message).toBe('flow.defaultVersionId is not a version of this workflow');
    const { id } = await make({ flowClass: 'experience' });
    const message = 'flow.defaultVersionId cannot be set on an experience workflow';
    expect(await patch(id, { defaultVersionId: foreign.id })).toMatchObject({
      status: 400,
      body: { message },
    });
    expect((await patch(id, { defaultVersionId: null })).status).toBe(200);
  });
});

describe('DELETE of a workflow', () => {
  it('deletes its versions, runs and storage, and appears in the audit log', async () => {
    const org = await makeOrg(test, user.token);
    application = await makeApplication(test, user.token, { orgId: org.id });
    const flow = await make();
    const version = await makeVersion(test, user.token, flow, { triggers: [webhook(ID)] });
    await makeRuns(test, flow, [{}]);
    await test.dataSource.query(
      `INSERT INTO flow_storage (flow_id, application_id, key, value, last_updated) VALUES ($1, $2, 'k', '1', now())`,
      [flow.id, flow.applicationId],
    );
    expect((await remove(flow.id)).body).toEqual({ success: true });
    expect((await get(flow.id)).status).toBe(404);
    const versions = `${pathOf(flow.id)}/versions`;
    for (const path of [versions, `${versions}/${version.id}`])
      expect((await test.client.get(path, { token: user.token })).status).toBe(404);
    const left = async (table: string) =>
      (await test.dataSource.query(`SELECT FROM ${table} WHERE flow_id = $1`, [flow.id])).length;
    for (const table of ['flow_versions', 'flow_runs', 'flow_run_sums', 'flow_storage', 'flow_triggers'])
      await waitUntil(async () => (await left(table)) === 0);
    const { body } = await test.client.get(`/orgs/${org.id}/audit-logs`, { token: user.token });
    expect(body.items[0]).toMatchObject({ requestAction: 'delete', secondaryTargetName: flow.name });
  });

  it('rejects a custom node that any version of another workflow uses', async () => {
    const node = await make(CUSTOM_NODE);
    const developed = await make({ name: 'Developed', nodes: [executing(node.id.toUpperCase())] });
    const versioned = await make({ name: 'Versioned' });
    for (const version of ['1', '2'])
      await makeVersion(test, user.token, versioned, { version, nodes: [executing(node.id)] });
    expect((await get(node.id)).body.customNodeUseCount).toBe(2);

    const refused = (name: string) => `flow cannot be deleted: the workflow "${name}" uses it`;
    expect([refused('Developed'), refused('Versioned')]).toContain((await remove(node.id)).body.message);
    await patch(developed.id, { nodes: [] });
    expect(await remove(node.id)).toMatchObject({ status: 400, body: { message: refused('Versioned') } });
    expect((await get(node.id)).body.customNodeUseCount).toBe(1);
    await remove(versioned.id);
    expect((await remove(node.id)).status).toBe(200);
  });

  it('ignores references from other applications', async () => {
    const node = await make(CUSTOM_NODE);
    const other = await makeApplication(test, user.token);
    await makeFlow(test, user.token, other.id, { nodes: [executing(node.id)] });
    expect((await get(node.id)).body.customNodeUseCount).toBe(0);
    expect((await remove(node.id)).status).toBe(200);
  });
});
