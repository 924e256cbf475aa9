import { CUSTOM_NODE, executing, makeFlow, makeRuns, makeVersion } from '../../../../test/make/flows.js';
import { makeApplication, makeMember, makeOrg, tokenOf } from '../../../../test/make/make.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const GONE = { status: 404, body: { type: 'NotFound', message: 'Flow version was not found' } };

const { test, user } = suite();
let send: ReturnType<typeof statementCounter>;
let application: any;
let flow: any;

beforeAll(() => {
  send = statementCounter(test);
});

beforeEach(async () => {
  application = await makeApplication(test, user.token);
  flow = await make();
});

const make = (body: object = {}) => makeFlow(test, user.token, application.id, body);
const version = (body: object = {}, of = flow) => makeVersion(test, user.token, of, body);
const pathOf = (id: string, flowId = flow.id, applicationId = application.id) =>
  `/applications/${applicationId}/flows/${flowId}/versions/${id}`;
const get = (id: string, token = user.token) => test.client.get(pathOf(id), { token });
const patch = (id: string, body: unknown, token = user.token) =>
  test.client.patch(pathOf(id), body, { token });
const remove = (id: string, token = user.token) => test.client.delete(pathOf(id), { token });
const pin = (defaultVersionId: string | null) =>
  test.client.patch(
    `/applications/${application.id}/flows/${flow.id}`,
    { defaultVersionId },
    { token: user.token },
  );

describe('A workflow version', () => {
  it('is returned by one statement, with its runs of the last 24 hours', async () => {
    const made = await version({ notes: 'n' });
    const other = await version();
    await makeRuns(test, flow, [
      { flowVersionId: made.id },
      { flowVersionId: made.id, pathsFailed: 1 },
      { flowVersionId: made.id, requestedAt: new Date(Date.now() - 25 * 3_600_000) },
      { flowVersionId: other.id },
      { flowVersionId: null },
    ]);
    await get(made.id);
    const { body, statements } = await send('GET', `${pathOf(made.id)}?includeCustomNodes=1`, user.token);
    expect(statements).toHaveLength(1);
    const none = { customNodes: [], customNodeVersions: [] };
    expect(body).toEqual({ ...made, ...none, stats: { runCount: 2, errorCount: 1 } });
  });

  it('can change its notes and `enabled`, and nothing else', async () => {
    const made = await version({ nodes: [{ id: 'a', type: 'A' }] });
    const changed = await patch(made.id, { notes: 'Newer', enabled: false });
    expect(changed.body).toEqual({
      ...made,
      notes: 'Newer',
      enabled: false,
      lastUpdated: expect.any(String),
    });
    expect((await patch(made.id, { enabled: true })).body).toMatchObject({ notes: 'Newer', enabled: true });
    for (const member of ['version', 'nodes', 'triggers', 'globals', 'minimumAgentVersion'])
      expect((await patch(made.id, { [member]: made[member] ?? '1.0.0' })).body.message).toBe(
        `flowVersion.${member} is not a property of flowVersion`,
      );
  });

  it('applies two concurrent updates', async () => {
    const { id } = await version();
    await Promise.all([patch(id, { notes: 'n' }), patch(id, { enabled: false })]);
    expect((await get(id)).body).toMatchObject({ notes: 'n', enabled: false });
  });

  it('is permanently deleted', async () => {
    const { id } = await version();
    expect((await remove(id)).body).toEqual({ success: true });
    for (const answer of [await get(id), await remove(id), await patch(id, {})])
      expect(answer).toMatchObject(GONE);
  });

  it('is accessible only below its workflow and application', async () => {
    const { id } = await version();
    const [sibling, other] = [await make(), await makeApplication(test, user.token)];
    const foreign = await makeFlow(test, user.token, other.id);
    for (const path of [
      pathOf(id, sibling.id),
      pathOf(id, flow.id, other.id),
      pathOf(id, foreign.id, other.id),
      pathOf(newId()),
    ]) {
      const token = user.token;
      expect(await test.client.get(path, { token })).toMatchObject(GONE);
      expect(await test.client.patch(path, { notes: 'n' }, { token })).toMatchObject(GONE);
      expect((await test.client.delete(path, { token })).status).toBe(404);
    }
    expect((await get(id)).status).toBe(200);
    expect((await get('develop')).status).toBe(400);
  });

  it.each([
    ['none', 404, 404],
    ['view', 200, 403],
    ['collaborate', 200, 200],
  ] as const)('with the role %s, answers reads with %i and changes with %i', async (role, read, written) => {
    const org = await makeOrg(test, user.token);
    application = await makeApplication(test, user.token, { orgId: org.id });
    flow = await make();
    const { id } = await version();
    const { token } = await makeMember(test, org.id, role);
    expect((await get(id, token)).status).toBe(read);
    expect((await patch(id, { notes: 'n' }, token)).status).toBe(written);
    expect((await remove(id, token)).status).toBe(written);
  });

  it.each([
    ['flowVersion.get', 200, 403],
    ['flowVersion.*', 200, 200],
    ['all.Organization.read', 200, 403],
    ['all.User.bounded', 200, 200],
    ['flow.*', 403, 403],
  ])('with the scope %s, answers reads with %i and changes with %i', async (scope, read, written) => {
    const { id } = await version();
    const token = tokenOf(test, user.id, [scope]);
    expect((await get(id, token)).status).toBe(read);
    expect((await patch(id, { notes: 'n' }, token)).status).toBe(written);
  });

  it("appears in the organization's audit log with its workflow as target", async () => {
    const org = await makeOrg(test, user.token);
    application = await makeApplication(test, user.token, { orgId: org.id });
    flow = await make();
    const { id } = await version();
    await patch(id, { notes: 'n' });
    await remove(id);
    const { body } = await test.client.get(`/orgs/${org.id}/audit-logs`, { token: user.token });
    const told = body.items.filter((entry: any) => entry.requestResource.startsWith('flowVersion'));
    expect(told.map((entry: any) => entry.requestAction)).toEqual(['delete', 'patch', 'post']);
    for (const entry of told)
      expect(entry).toMatchObject({
        primaryTargetId: application.id,
        secondaryTargetType: 'Flow',
        secondaryTargetId: flow.id,
        secondaryTargetName: flow.name,
      });
  });
});

describe('A workflow version in use', () => {
  it('cannot be deleted while it is the default', async () => {
    const { id } = await version();
    await pin(id);
    const message = 'flowVersion cannot be deleted: it is the default version of its workflow';
    expect(await remove(id)).toMatchObject({ status: 400, body: { message } });
    await pin(null);
    expect((await remove(id)).status).toBe(200);
  });

  it('cannot become the default and be deleted concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await version();
      const answers = await Promise.all([pin(id), remove(id)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      await pin(null);
    }
  });

  it('cannot be deleted while a workflow refers to it as a custom node', async () => {
    const { flowClass: _class, ...graph } = CUSTOM_NODE;
    const [developed, versioned] = [await make({ name: 'Developed' }), await make({ name: 'Versioned' })];
    flow = await make(CUSTOM_NODE);
    const [one, two, three] = [
      await version({ version: '1', ...graph }),
      await version({ version: '2', ...graph }),
      await version({ version: '3', ...graph }),
    ];
    const path = `/applications/${application.id}/flows/${developed.id}`;
    await test.client.patch(path, { nodes: [executing(flow.id, '1')] }, { token: user.token });
    await version({ nodes: [executing(flow.id, '2')] }, versioned);
    const refused = (name: string) => `flowVersion cannot be deleted: the workflow "${name}" uses it`;
    expect(await remove(one.id)).toMatchObject({ status: 400, body: { message: refused('Developed') } });
    expect(await remove(two.id)).toMatchObject({ status: 400, body: { message: refused('Versioned') } });
    expect((await remove(three.id)).status).toBe(200);
    await test.client.patch(path, { nodes: [executing(flow.id, 'develop')] }, { token: user.token });
    expect((await remove(one.id)).status).toBe(200);
  });
});
