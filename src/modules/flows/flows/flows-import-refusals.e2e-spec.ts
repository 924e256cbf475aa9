import { CUSTOM_NODE, executing, makeFlow } from '../../../../test/make/flows.js';
import { makeApplication, makeMember, makeOrg, makeUser, tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import type { Role } from '../../../platform/operations/operation.js';
import { makeImportTarget, OLD } from '../../../../test/make/flow-imports.js';

const { test } = suite();
const target = (token?: string) => makeImportTarget(test, token);

describe('POST /applications/{applicationId}/flows/import', () => {
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
});
