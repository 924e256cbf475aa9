import { UNKNOWN } from '../../../../test/make/api-tokens.js';
import { CUSTOM_NODE, derivedOf, executing, makeFlow, makeVersion } from '../../../../test/make/flows.js';
import { makeApplication, makeOrg, makeUser } from '../../../../test/make/make.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import type { FlowVersion } from './flow-version.resource.js';
import type { Flow } from './flow.resource.js';
import { makeImportTarget, OLD } from '../../../../test/make/flow-imports.js';

const TIMER = { type: 'timer', key: 'each minute', config: { seconds: 60 } };

const { test } = suite();
let counted: ReturnType<typeof statementCounter>;
beforeAll(() => {
  counted = statementCounter(test);
});
const target = (token?: string) => makeImportTarget(test, token);

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
