import { UNKNOWN } from '../../../../test/make/api-tokens.js';
import { CUSTOM_NODE, derivedOf, executing, makeFlow, makeVersion } from '../../../../test/make/flows.js';
import { makeApplication, makeMember, makeOrg, makeUser, tokenOf } from '../../../../test/make/make.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import type { Role } from '../../../platform/operations/operation.js';
import type { FlowVersion } from './flow-version.resource.js';
import type { Flow } from './flow.resource.js';

const OLD = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(24)) as [string, string, string, string];
const TIMER = { type: 'timer', key: 'each minute', config: { seconds: 60 } };

const { test } = suite();
let counted: ReturnType<typeof statementCounter>;
beforeAll(() => {
  counted = statementCounter(test);
});

/** Creates an application to import into, with functions to import and to list its workflows. */
async function target(token?: string) {
  const user = await makeUser(test);
  const as = token ?? user.token;
  const application = await makeApplication(test, as);
  const path = `/applications/${application.id}/flows`;
  const stored = async () => [
    ...(await test.client.get(`${path}?query=%7B%7D`, { token: as })).body.items,
    ...(await test.client.get(`${path}/version?version=1&query=%7B%7D`, { token: as })).body.items,
  ];
  return {
    user,
    token: as,
    application,
    path,
    stored,
    send: (body: unknown) => test.client.post(`${path}/import`, body, { token: as }),
  };
}

describe('POST /applications/{applicationId}/flows/import', () => {
  it('imports the lists of another application', async () => {
    const { user, token, application, path, send } = await target();
    const source = await makeApplication(test, token);
    const webhookId = UNKNOWN;
    const node = await makeFlow(test, token, source.id, {
      ...CUSTOM_NODE,
      name: 'Average',
      category: 'logic',
      iconData: 'data:image/png;base64,iVBORw0KGgo=',
      customNodeSupports: ['cloud'],
      customNodeConfig: { outputCount: 1, resultMode: 'optional', fields: [] },
    });
    const { triggers, nodes } = CUSTOM_NODE;
    const nodeVersion = await makeVersion(test, token, node, {
      version: '1',
      triggers,
      nodes,
      notes: 'first',
    });
    const graph = {
      triggers: [TIMER, { type: 'webhook', key: webhookId, outputIds: [['execute']] }],
      nodes: [
        executing(node.id, '1'),
        { id: 'go', type: 'WorkflowTriggerNode', config: { flowId: node.id } },
      ],
      globals: [{ key: 'limit', json: '1' }],
    };
    const flow = await makeFlow(test, token, source.id, { ...graph, name: 'Alarm', description: 'Warns' });
    const version = await makeVersion(test, token, flow, { ...graph, version: '1', triggers: [TIMER] });
    const sourcePath = `/applications/${source.id}/flows`;
    await test.client.patch(
      `${sourcePath}/${flow.id}`,
      { defaultVersionId: version.id, enabled: false },
      { token },
    );
    const listed = async (at: string): Promise<any[]> => (await test.client.get(at, { token })).body.items;
    const exported = {
      flows: await listed(`${sourcePath}?query=%7B%7D`),
      flowVersions: [
        ...(await listed(`${sourcePath}/${node.id}/versions`)),
        ...(await listed(`${sourcePath}/version?version=1`)),
      ],
    };
    expect(exported.flows.map(({ name }) => name)).toEqual(['Alarm', 'Average']);

    const { status, body } = await send(exported);
    expect(status).toBe(201);
    const { importedFlowIdMap: flowIds, importedVersionIdMap: versionIds } = body;
    expect(Object.keys(flowIds).sort()).toEqual([flow.id, node.id].sort());
    expect(Object.keys(versionIds).sort()).toEqual([version.id, nodeVersion.id].sort());
    const ids = [...Object.values(flowIds), ...Object.values(versionIds)];
    expect(new Set([...ids, flow.id, node.id, version.id, nodeVersion.id]).size).toBe(8);
    const rewired = (value: unknown) =>
      JSON.parse(JSON.stringify(value).replaceAll(node.id, flowIds[node.id]));
    const made = {
      applicationId: application.id,
      creationDate: body.flows[0].creationDate,
      lastUpdated: body.flows[0].creationDate,
      createdById: user.id,
      createdByType: 'user',
      lastUpdatedById: user.id,
      lastUpdatedByType: 'user',
    };
    const newFlow = (old: Flow) => ({
      ...rewired(old),
      ...made,
      id: flowIds[old.id],
      flowId: flowIds[old.id],
    });
    const newVersion = (old: FlowVersion) => {
      const { name: _name, description: _description, ...rest } = rewired(old);
      const id = versionIds[old.id];
      return { ...rest, ...made, id, flowVersionId: id, flowId: flowIds[old.flowId] };
    };
    expect(body.flows).toEqual([
      { ...newFlow(exported.flows[0]), defaultVersionId: versionIds[version.id] },
      newFlow(exported.flows[1]),
    ]);
    expect(body.flowVersions).toEqual(exported.flowVersions.map(newVersion));
    expect(body.flows[1].customNodeUseCount).toBe(1);
    expect(body.flows[0].triggers[1].key).toBe(webhookId);
    for (const item of body.flows)
      expect((await test.client.get(`${path}/${item.id}`, { token })).body).toEqual(item);
    for (const item of body.flowVersions)
      expect((await test.client.get(`${path}/${item.flowId}/versions/${item.id}`, { token })).body).toEqual(
        item,
      );
    const derived = await derivedOf(test, flowIds[flow.id]);
    expect(derived.live_triggers).toEqual([{ type: 'timer', key: 'each minute' }]);
    expect(derived.named_ids.sort()).toEqual([webhookId, flowIds[node.id]].sort());
    const refused = await test.client.delete(`${path}/${flowIds[node.id]}`, { token });
    expect(refused.body.message).toContain('uses it');
  });

  it('accepts export hashes, and drops a default version that is not in the import', async () => {
    const { path, token, send } = await target();
    const keys = ['first', 'second'];
    const agent = { minimumAgentVersion: '1.0.0' };
    const flow = {
      id: OLD[0],
      name: 'Edge',
      flowClass: 'edge',
      ...agent,
      exportHash: 'a'.repeat(64),
      defaultVersionId: OLD[2],
      triggers: keys.map((key) => ({ type: 'request', key, config: { method: 'get', route: `/${key}` } })),
      nodes: [{ id: 'n', type: 'DebugNode', meta: { uses: OLD[0] } }],
    };
    const flowVersion = { id: OLD[1], flowId: OLD[0], version: '1', exportHash: 'b'.repeat(64), ...agent };
    const { status, body } = await send({ flows: [flow], flowVersions: [flowVersion] });
    expect([status, body.message]).toEqual([201, undefined]);
    const [{ id, triggers, nodes, ...made }] = body.flows;
    expect(triggers.map(({ key }: { key: string }) => key)).toEqual(keys);
    expect(nodes[0].meta.uses).toBe(id);
    expect(made).not.toHaveProperty('defaultVersionId');
    expect((await test.client.get(`${path}/${id}`, { token })).body).toEqual(body.flows[0]);
  });

  it('applies the defaults of new workflows and versions', async () => {
    const { send } = await target();
    const { status, body } = await send({
      flows: [
        { id: OLD[0].toUpperCase(), name: 'Alarm', category: '', iconData: null, defaultVersionId: null },
      ],
      flowVersions: [{ flowId: OLD[0], version: '1' }],
    });
    expect(status).toBe(201);
    expect(body.importedFlowIdMap).toEqual({ [OLD[0]]: body.flows[0].id });
    expect(body.importedVersionIdMap).toEqual({});
    const empty = { enabled: true, flowClass: 'cloud', triggers: [], nodes: [], globals: [] };
    expect(body.flows[0]).toMatchObject({ name: 'Alarm', ...empty });
    for (const member of ['category', 'iconData', 'defaultVersionId'])
      expect(body.flows[0]).not.toHaveProperty(member);
    expect(body.flowVersions[0]).toMatchObject({ version: '1', flowId: body.flows[0].id, ...empty });
    const none = { flows: [], flowVersions: [], importedFlowIdMap: {}, importedVersionIdMap: {} };
    expect((await send({})).body).toEqual(none);
  });

  it('can be repeated, because names need not be unique', async () => {
    const { send, stored } = await target();
    const body = { flows: [{ id: OLD[0], name: 'Alarm' }], flowVersions: [{ flowId: OLD[0], version: '1' }] };
    for (const _ of [1, 2]) expect((await send(body)).status).toBe(201);
    expect(await stored()).toHaveLength(4);
  });

  it('adds versions to existing workflows of the application', async () => {
    const { token, application, path, send } = await target();
    const flow = await makeFlow(test, token, application.id, {
      flowClass: 'edge',
      minimumAgentVersion: '1.0.0',
    });
    const version = (more: object) => ({ flowId: flow.id.toUpperCase(), version: '1', ...more });
    const { status, body } = await send({
      flowVersions: [version({ id: OLD[0], minimumAgentVersion: '1.0.0' })],
    });
    expect(status).toBe(201);
    expect(body.flowVersions[0]).toMatchObject({ flowId: flow.id, flowClass: 'edge' });
    const again = await send({ flowVersions: [version({ minimumAgentVersion: '1.0.0' })] });
    expect(again.body.message).toBe('importData.flowVersions.0.version is not available');
    const ofItsClass = await send({ flowVersions: [version({ version: '2' })] });
    expect(ofItsClass.body.message).toMatch(/^importData\.flowVersions\.0\.minimumAgentVersion is required/);
    const listed = await test.client.get(`${path}/${flow.id}/versions`, { token });
    expect(listed.body.totalCount).toBe(1);
  });

  it('adds a version once if two concurrent imports contain it', async () => {
    const { token, application, send } = await target();
    const flow = await makeFlow(test, token, application.id);
    const body = { flowVersions: [{ flowId: flow.id, version: '1' }] };
    const answers = await Promise.all([send(body), send(body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
  });

  const valid = { id: OLD[0], name: 'Alarm' };
  const bad = { id: 'a', type: 'DebugNode', outputIds: [['b']] };
  it.each<[string, object]>([
    ['importData.flows.1.name is required', { flows: [valid, { id: OLD[1] }] }],
    ['importData.flows.1.colour ', { flows: [valid, { name: 'b', colour: 'red' }] }],
    ['importData.flows.0.liveTriggers ', { flows: [{ ...valid, liveTriggers: [] }] }],
    ['importData.flows.0.id ', { flows: [{ ...valid, id: 'x' }] }],
    ['importData.flowVersions.0.version is required', { flowVersions: [{ flowId: OLD[0] }] }],
    ['importData.webhooks ', { flows: [valid], webhooks: [] }],
    ['importData.flows ', { flows: Array(1001).fill({ name: 'x' }) }],
    ['importData.flows.1.id is a duplicate', { flows: [valid, { id: OLD[0].toUpperCase(), name: 'b' }] }],
    [
      'importData.flowVersions.1.id is a duplicate',
      {
        flows: [valid],
        flowVersions: ['1', '2'].map((version) => ({ id: OLD[1], flowId: OLD[0], version })),
      },
    ],
    [
      'importData.flows.1.nodes.0 (a): Referenced output ID b does not exist.',
      { flows: [valid, { name: 'b', nodes: [bad] }] },
    ],
    [
      'importData.flowVersions.1.nodes.0 (a): Referenced output ID b does not exist.',
      {
        flows: [valid],
        flowVersions: [
          { flowId: OLD[0], version: '1' },
          { flowId: OLD[0], version: '2', nodes: [bad] },
        ],
      },
    ],
    [
      'importData.flows.1.nodes.1 (execute): A custom node cannot execute itself.',
      {
        flows: [
          valid,
          { id: OLD[1], name: 'b', ...CUSTOM_NODE, nodes: [...CUSTOM_NODE.nodes!, executing(OLD[1])] },
        ],
      },
    ],
    [
      'importData.flows.1.triggers must have a customNodeStart',
      { flows: [valid, { name: 'b', flowClass: 'customNode' }] },
    ],
    [
      'importData.flows.0.liveTriggers is not a property of importData.flows.0',
      { flows: [{ ...valid, liveTriggers: [] }] },
    ],
    [
      'importData.flowVersions.0.colour is not a property of importData.flowVersions.0',
      { flows: [valid], flowVersions: [{ flowId: OLD[0], version: '1', colour: 'red' }] },
    ],
    ['importData.flowVersions.0.flowId is required', { flows: [valid], flowVersions: [{ version: '1' }] }],
    [
      'importData.flowVersions.0.flowId is not a workflow of the import or of the application',
      { flows: [valid], flowVersions: [{ flowId: OLD[1], version: '1' }] },
    ],
    [
      'importData.flowVersions.1.version is not available',
      { flows: [valid], flowVersions: [1, 2].map(() => ({ flowId: OLD[0], version: '1' })) },
    ],
    [
      'importData.flowVersions.0.version must not be develop or default',
      { flows: [valid], flowVersions: [{ flowId: OLD[0], version: 'develop' }] },
    ],
    [
      'importData.flowVersions.0 cannot be created for an experience workflow',
      { flows: [{ ...valid, flowClass: 'experience' }], flowVersions: [{ flowId: OLD[0], version: '1' }] },
    ],
    [
      'importData.flows.0.defaultVersionId is not a version of this workflow in the import',
      {
        flows: [
          { ...valid, defaultVersionId: OLD[2] },
          { id: OLD[1], name: 'b' },
        ],
        flowVersions: [{ id: OLD[2], flowId: OLD[1], version: '1' }],
      },
    ],
  ])('stores nothing if it rejects the import: %s', async (message, body) => {
    const { send, stored } = await target();
    const answer = await send(body);
    expect([answer.status, answer.body.type]).toEqual([400, 'Validation']);
    expect(answer.body.message.slice(0, message.length)).toBe(message);
    expect(await stored()).toEqual([]);
  });

  it('cannot add versions to workflows of other applications', async () => {
    const { token, send } = await target();
    const other = await makeApplication(test, token);
    const flow = await makeFlow(test, token, other.id);
    const { status, body } = await send({ flowVersions: [{ flowId: flow.id, version: '1' }] });
    expect([status, body.message]).toEqual([
      400,
      'importData.flowVersions.0.flowId is not a workflow of the import or of the application',
    ]);
  });

  it("applies the owner's limit to the import as a whole", async () => {
    const { user, send, stored } = await target();
    await test.dataSource.query('UPDATE users SET limits = $2 WHERE id = $1', [user.id, { flow: 3 }]);
    const two = { flows: [{ name: 'a' }, { name: 'b' }] };
    const answers = await Promise.all([send(two), send(two)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(answers.find(({ status }) => status === 400)!.body.message).toBe(
      'The limit of 3 workflows is reached',
    );
    expect(await stored()).toHaveLength(2);
    expect((await send({ flows: [{ name: 'c' }] })).status).toBe(201);
    expect((await send({})).status).toBe(201);
  });

  it('imports 1,000 workflows with versions in as many statements as one', async () => {
    const { token, path } = await target();
    const body = (count: number) => {
      const flows = Array.from({ length: count }, (_, i) => ({
        id: i.toString(16).padStart(24, '0'),
        name: `flow ${i}`,
        triggers: [TIMER],
        nodes: [executing(((i + 1) % count).toString(16).padStart(24, '0'))],
      }));
      return { flows, flowVersions: flows.map(({ id }) => ({ flowId: id, version: '1' })) };
    };
    const one = await counted('POST', `${path}/import`, token, body(2));
    const many = await counted('POST', `${path}/import`, token, body(1000));
    expect([one.status, many.status]).toEqual([201, 201]);
    expect(many.statements.length).toBeLessThanOrEqual(one.statements.length);
    const ids = many.body.flows.map(({ id }: Flow) => id);
    expect(many.body.flows.map(({ nodes }: Flow) => nodes[0]!.config!.customNodeId)).toEqual([
      ...ids.slice(1),
      ids[0],
    ]);
    expect(many.body.flowVersions.map(({ flowId }: FlowVersion) => flowId)).toEqual(ids);
  });

  it('accepts a body of 10 MiB, on this path only', async () => {
    const { token, path, send } = await target();
    const sized = (bytes: number) => {
      const flow = (description: string) => ({ name: 'x', description });
      const flows = Array.from({ length: Math.ceil(bytes / 32_000) }, () => flow('x'.repeat(31_000)));
      const body = { flows, padding: undefined };
      const missing = bytes - JSON.stringify(body).length;
      return JSON.stringify(body).replace(/^\{/, `{${' '.repeat(missing)}`);
    };
    const most = 10 * 1024 * 1024;
    expect((await send(sized(most))).status).toBe(201);
    expect((await send(sized(most + 1))).status).toBe(413);
    const elsewhere = await test.client.post(path, sized(2 * 1024 * 1024), { token });
    expect(elsewhere.status).toBe(413);
  });

  it.each<[Role, number]>([
    ['none', 404],
    ['view', 403],
    ['collaborate', 201],
    ['edit', 201],
  ])('with the role %s, returns %i', async (role, status) => {
    const admin = await makeUser(test);
    const org = await makeOrg(test, admin.token);
    const { id } = await makeApplication(test, admin.token, { orgId: org.id });
    const { token } = await makeMember(test, org.id, role);
    const answer = await test.client.post(`/applications/${id}/flows/import`, { flows: [valid] }, { token });
    expect(answer.status).toBe(status);
  });

  it.each([
    ['flows.import', 201],
    ['flows.*', 201],
    ['flows.post', 403],
    ['all.Application.bounded', 403],
    ['all.User.read', 403],
  ])('with the scope %s, returns %i', async (scope, status) => {
    const { user, path } = await target();
    const token = tokenOf(test, user.id, [scope]);
    expect((await test.client.post(`${path}/import`, {}, { token })).status).toBe(status);
    expect((await test.client.post(`${path}/import`, {})).status).toBe(401);
  });

  it("creates one entry in the organization's audit log", async () => {
    const { token } = await makeUser(test);
    const org = await makeOrg(test, token);
    const { id, name } = await makeApplication(test, token, { orgId: org.id });
    const flows = [{ name: 'a' }, { name: 'b' }];
    await test.client.post(`/applications/${id}/flows/import`, { flows }, { token });
    const { body } = await test.client.get(`/orgs/${org.id}/audit-logs?sortDirection=asc`, { token });
    const entries = body.items.filter(
      ({ requestAction }: { requestAction: string }) => requestAction === 'import',
    );
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      requestResource: 'flows',
      requestBody: { flows },
      primaryTargetType: 'Application',
      primaryTargetId: id,
      primaryTargetName: name,
    });
    expect(entries[0]).not.toHaveProperty('secondaryTargetId');
  });
});
