import { CUSTOM_NODE, derivedOf, executing, makeFlow, makeVersion } from '../../../../test/make/flows.js';
import { makeApplication, makeMember, makeOrg, tokenOf } from '../../../../test/make/make.js';
import { newId } from '../../../platform/repositories/resource.js';
import { ID, OTHER_ID, SAMPLE } from '../../../../test/make/graphs.js';
import { suite } from '../../../../test/setup/suite.js';

const { test, user } = suite();
let application: any;
let flow: any;

beforeEach(async () => {
  application = await makeApplication(test, user.token);
  flow = await make();
});

const make = (body: object = {}) => makeFlow(test, user.token, application.id, body);
const version = (body: object, of = flow) => makeVersion(test, user.token, of, body);
const pathOf = (flowId = flow.id, applicationId = application.id) =>
  `/applications/${applicationId}/flows/${flowId}/versions`;
const create = (body: unknown, query = '', token = user.token) =>
  test.client.post(`${pathOf()}${query}`, body, { token });
const removeMany = (query: unknown, token = user.token) =>
  test.client.post(`${pathOf()}/delete`, { query }, { token });
const pin = (versionId: string) =>
  test.client.patch(
    `/applications/${application.id}/flows/${flow.id}`,
    { defaultVersionId: versionId },
    { token: user.token },
  );
const namesOf = async (flowId = flow.id): Promise<string[]> => {
  const rows = await test.dataSource.query(
    'SELECT version FROM flow_versions WHERE flow_id = $1 ORDER BY 1',
    [flowId],
  );
  return rows.map((row: { version: string }) => row.version);
};
const webhook = (key: string) => ({ type: 'webhook', key });

describe('POST versions of a workflow', () => {
  it('creates an empty version from a name, regardless of the development version', async () => {
    flow = await make(SAMPLE.alarm);
    const { status, body } = await create({ version: '1.0.0' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      flowVersionId: body.id,
      flowId: flow.id,
      applicationId: application.id,
      creationDate: body.lastUpdated,
      lastUpdated: expect.any(String),
      createdById: user.id,
      createdByType: 'user',
      lastUpdatedById: user.id,
      lastUpdatedByType: 'user',
      flowClass: 'cloud',
      version: '1.0.0',
      enabled: true,
      triggers: [],
      nodes: [],
      globals: [],
      stats: { runCount: 0, errorCount: 0 },
    });
  });

  it.each([
    ['alarm', {}],
    ['edge', { flowClass: 'edge', minimumAgentVersion: '1.0.0' }],
    ['customNode', CUSTOM_NODE],
  ] as const)('stores the graph and the IDs that it refers to: %s', async (name, body) => {
    flow = await make(body);
    const given = { version: '1', notes: 'n', enabled: false, ...SAMPLE[name] };
    const answer = await create(given, '?includeCustomNodes=true');
    expect(answer.body).toMatchObject({ ...given, triggers: given.triggers!.map(({ type }) => ({ type })) });
    const [row] = await test.dataSource.query('SELECT named_ids FROM flow_versions WHERE id = $1', [
      answer.body.id,
    ]);
    const named = { alarm: [ID, OTHER_ID], edge: [OTHER_ID], customNode: [] };
    expect(row.named_ids.sort()).toEqual(named[name]);
  });

  it.each([
    [{}, 'flowVersion.version is required'],
    [{ version: '' }, 'flowVersion.version must have at least 1 characters'],
    [{ version: 'develop' }, 'flowVersion.version must not be develop or default'],
    [{ version: 'default' }, 'flowVersion.version must not be develop or default'],
    [{ version: '1', name: 'a' }, 'flowVersion.name is not a property of flowVersion'],
    [
      { version: '1', nodes: [{ id: 'a', type: 'A', outputIds: [['b']] }] },
      'flowVersion.nodes.0 (a): Referenced output ID b does not exist.',
    ],
    [
      { version: '1', triggers: [{ type: 'serial' }] },
      'flowVersion.triggers.0 (serial): serial is not valid for Cloud workflows.',
    ],
  ])('rejects %j', async (body, message) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { type: 'Validation', message } });
    expect(await namesOf()).toEqual([]);
  });

  it('rejects versions of experience workflows', async () => {
    flow = await make({ flowClass: 'experience' });
    const message =
      'flowVersion cannot be created for an experience workflow: its versions are those of the experience';
    expect(await create({ version: '1' })).toMatchObject({ status: 400, body: { message } });
  });

  it('requires a unique name within the workflow, also in concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => create({ version: '1' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    const refused = answers.find(({ status }) => status === 400)!;
    expect(refused.body.message).toBe('flowVersion.version is not available');
    flow = await make();
    expect((await create({ version: '1' })).status).toBe(201);
  });
});

describe('POST versions of a workflow with allowReplacement', () => {
  it('keeps only the ID and creation date', async () => {
    const nodes = [executing(ID)];
    const first = await version({
      version: '1',
      notes: 'n',
      enabled: false,
      minimumAgentVersion: '1.0.0',
      nodes,
    });
    const { status, body } = await create(
      { version: '1', triggers: [webhook(OTHER_ID)] },
      '?allowReplacement=true',
    );
    expect(status).toBe(201);
    const { notes: _notes, minimumAgentVersion: _minimum, ...rest } = first;
    const changed = {
      enabled: true,
      nodes: [],
      triggers: [webhook(OTHER_ID)],
      lastUpdated: expect.any(String),
    };
    expect(body).toEqual({ ...rest, ...changed });
    const [row] = await test.dataSource.query('SELECT named_ids FROM flow_versions WHERE id = $1', [
      first.id,
    ]);
    expect(row.named_ids).toEqual([OTHER_ID]);
    expect(await namesOf()).toEqual(['1']);
  });

  it('runs the new version immediately if the old one was the default', async () => {
    const { id } = await version({ version: '1', triggers: [webhook(ID)] });
    await version({ version: '2' });
    await pin(id);
    await create({ version: '2', triggers: [webhook(newId())] }, '?allowReplacement=true');
    expect((await derivedOf(test, flow.id)).live_triggers).toEqual([webhook(ID)]);
    await create({ version: '1', triggers: [webhook(OTHER_ID)] }, '?allowReplacement=true');
    expect((await derivedOf(test, flow.id)).live_triggers).toEqual([webhook(OTHER_ID)]);
  });

  it('creates the version if it does not exist, and never replaces custom nodes', async () => {
    expect((await create({ version: '1' }, '?allowReplacement=true')).status).toBe(201);
    flow = await make(CUSTOM_NODE);
    const { flowClass: _class, ...graph } = CUSTOM_NODE;
    expect((await create({ version: '1', ...graph }, '?allowReplacement=true')).status).toBe(201);
    const again = await create({ version: '1', ...graph, notes: 'new' }, '?allowReplacement=true');
    expect(again).toMatchObject({ status: 400, body: { message: 'flowVersion.version is not available' } });
  });

  it('stores one version for concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, i) => create({ version: '1', notes: `${i}` }, '?allowReplacement=true')),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });
});

describe('POST delete of versions', () => {
  it('deletes matching versions of this workflow, and counts the default version as failed', async () => {
    const other = await make();
    await version({ version: '0.1' }, other);
    for (const name of ['0.1', '0.2', '1.0']) await version({ version: name });
    const { id } = await version({ version: '0.3' });
    await pin(id);
    expect((await removeMany({ version: { $startsWith: '0.' } })).body).toEqual({ removed: 2, failed: 1 });
    expect(await namesOf()).toEqual(['0.3', '1.0']);
    expect(await namesOf(other.id)).toEqual(['0.1']);
    expect((await removeMany({})).body).toEqual({ removed: 1, failed: 1 });
    expect((await removeMany({ $or: [] })).body).toEqual({ removed: 0, failed: 0 });
  });

  it('keeps versions of custom nodes in use', async () => {
    const { flowClass: _class, ...graph } = CUSTOM_NODE;
    const alarm = await make();
    flow = await make(CUSTOM_NODE);
    for (const name of ['1', '2', '3']) await version({ version: name, ...graph });
    await version({ version: 'a', nodes: [executing(flow.id, '2')] }, alarm);
    await make({ nodes: [executing(flow.id)] });
    expect((await removeMany({ enabled: true })).body).toEqual({ removed: 2, failed: 1 });
    expect(await namesOf()).toEqual(['2']);
  });

  it('appears once in the audit log', async () => {
    const org = await makeOrg(test, user.token);
    application = await makeApplication(test, user.token, { orgId: org.id });
    flow = await make();
    for (const name of ['1', '2']) await version({ version: name });
    await removeMany({});
    const { body } = await test.client.get(`/orgs/${org.id}/audit-logs`, { token: user.token });
    const told = body.items.map((entry: { requestAction: string }) => entry.requestAction);
    expect(told.filter((action: string) => action === 'delete')).toHaveLength(1);
    expect(body.items[0]).toMatchObject({
      requestResource: 'flowVersions',
      primaryTargetId: application.id,
      primaryTargetName: application.name,
      secondaryTargetId: flow.id,
      secondaryTargetName: flow.name,
    });
  });

  it.each([
    [{}, 'options.query is required'],
    [{ query: { colour: 'red' } }, 'options.query.colour is not a property of options.query'],
    [{ query: { id: 'x' } }, /^options\.query\.id /],
    [{ query: { $or: [{ enabled: 'yes' }] } }, 'query.$or.0.enabled must be true or false'],
    [
      { query: { enabled: { $contains: 'y' } } },
      'query.enabled.$contains is not an operator of this attribute',
    ],
  ])('rejects %j', async (body, message) => {
    await version({ version: '1' });
    const answer = await test.client.post(`${pathOf()}/delete`, body, { token: user.token });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(message);
    expect(await namesOf()).toEqual(['1']);
  });
});

describe('Authorization to create and delete versions', () => {
  it.each([
    ['none', 404, 404],
    ['view', 403, 403],
    ['collaborate', 201, 200],
  ] as const)(
    'with the role %s, answers creations with %i and deletions with %i',
    async (role, made, removed) => {
      const org = await makeOrg(test, user.token);
      application = await makeApplication(test, user.token, { orgId: org.id });
      flow = await make();
      const { token } = await makeMember(test, org.id, role);
      expect((await create({ version: '1' }, '', token)).status).toBe(made);
      expect((await removeMany({}, token)).status).toBe(removed);
    },
  );

  it.each([
    ['flowVersions.post', 201, 403],
    ['flowVersions.delete', 403, 200],
    ['all.Application.bounded', 201, 200],
    ['flowVersion.*', 403, 403],
  ])('with the scope %s, answers creations with %i and deletions with %i', async (scope, made, removed) => {
    const token = tokenOf(test, user.id, [scope]);
    expect((await create({ version: '1' }, '', token)).status).toBe(made);
    expect((await removeMany({}, token)).status).toBe(removed);
  });

  it('returns 404 for a workflow of another application', async () => {
    const other = await makeApplication(test, user.token);
    for (const path of [pathOf(flow.id, other.id), pathOf(newId())])
      for (const answer of [
        await test.client.post(path, { version: '1' }, { token: user.token }),
        await test.client.post(`${path}/delete`, { query: {} }, { token: user.token }),
      ])
        expect(answer).toMatchObject({ status: 404, body: { message: 'Flow was not found' } });
  });
});
