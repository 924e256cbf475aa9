import { CUSTOM_NODE, derivedOf, makeFlow } from '../../../../test/make/flows.js';
import { makeApplication, makeMember, makeOrg, tokenOf } from '../../../../test/make/make.js';
import { newId } from '../../../platform/repositories/resource.js';
import { ID, OTHER_ID, SAMPLES } from '../../../../test/make/graphs.js';
import { suite } from '../../../../test/setup/suite.js';

const { test, user } = suite();
let application: any;

beforeEach(async () => {
  application = await makeApplication(test, user.token);
});

const pathOf = (applicationId = application.id) => `/applications/${applicationId}/flows`;
const create = (body: unknown, token = user.token) => test.client.post(pathOf(), body, { token });
const countFlows = async () =>
  Number(
    (await test.dataSource.query('SELECT count(*) FROM flows WHERE application_id = $1', [application.id]))[0]
      .count,
  );

describe('POST workflows', () => {
  it('creates an empty, enabled cloud workflow from a name', async () => {
    const { status, body } = await create({ name: 'Alarm' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      flowId: body.id,
      applicationId: application.id,
      creationDate: body.lastUpdated,
      lastUpdated: expect.any(String),
      createdById: user.id,
      createdByType: 'user',
      lastUpdatedById: user.id,
      lastUpdatedByType: 'user',
      name: 'Alarm',
      flowClass: 'cloud',
      enabled: true,
      triggers: [],
      nodes: [],
      globals: [],
      stats: { runCount: 0, errorCount: 0, byVersion: {} },
    });
    expect(await derivedOf(test, body.id)).toEqual({ live_triggers: [], named_ids: [] });
  });

  it('stores all properties', async () => {
    const given = {
      ...CUSTOM_NODE,
      name: 'Average',
      description: 'The mean of a list',
      enabled: false,
      globals: [{ key: 'limit', json: '42' }],
      minimumAgentVersion: '1.2.3',
      category: 'logic',
      iconData: 'data:image/png;base64,iVBORw0KGgo=',
      docsUrl: 'https://example.com/average',
      shortDescription: 'Averages',
      customNodeConfig: { outputCount: 1, resultMode: 'none', fields: [] },
      customNodeSupports: ['cloud'],
    };
    const { body } = await create(given);
    expect(body).toMatchObject({
      ...given,
      triggers: [{ ...CUSTOM_NODE.triggers![0], key: 'customNodeStart' }],
    });
    expect(body.customNodeUseCount).toBe(0);
    const again = await test.client.get(`${pathOf()}/${body.id}?includeCustomNodes=true`, {
      token: user.token,
    });
    expect(again.body).toEqual({ ...body, customNodes: [], customNodeVersions: [] });
  });

  it('treats an empty category and icon as not set', async () => {
    const { body } = await create({ name: 'a', category: '', iconData: null });
    expect(body).not.toHaveProperty('category');
    expect(body).not.toHaveProperty('iconData');
  });

  it.each(SAMPLES)('accepts %s', async (_name, flowClass, graph) => {
    const { status, body } = await create({ name: 'a', flowClass, ...graph });
    expect(status).toBe(201);
    expect(body).toMatchObject({ flowClass, nodes: graph.nodes ?? [] });
  });

  it('stores its triggers and the IDs that it refers to, in lower case', async () => {
    const { body } = await create({
      name: 'a',
      triggers: [
        { type: 'webhook', key: ID.toUpperCase(), outputIds: [['log']] },
        { type: 'timer', config: { seconds: 1 } },
      ],
      nodes: [{ id: 'log', type: 'AnyNode', config: { deviceIds: [OTHER_ID.toUpperCase()], name: newId() } }],
    });
    const [webhook, timer] = body.triggers;
    expect(webhook.key).toBe(ID);
    expect(timer.key).toMatch(/^[\w-]{21}$/);
    expect(await derivedOf(test, body.id)).toEqual({
      live_triggers: [
        { type: 'webhook', key: ID },
        { type: 'timer', key: timer.key },
      ],
      named_ids: expect.arrayContaining([ID, OTHER_ID]),
    });
    expect((await derivedOf(test, body.id)).named_ids).toHaveLength(2);
  });

  it.each([
    [{}, 'flow.name is required'],
    [{ name: '' }, 'flow.name must have at least 1 characters'],
    [
      { name: 'a', flowClass: 'fog' },
      'flow.flowClass must be one of cloud, customNode, edge, embedded, experience',
    ],
    [{ name: 'a', defaultVersionId: ID }, 'flow.defaultVersionId is not a property of flow'],
    [{ name: 'a', flowClass: 'edge' }, 'flow.minimumAgentVersion is required for Edge workflows'],
    [{ name: 'a', flowClass: 'customNode' }, 'flow.triggers must have a customNodeStart'],
    [
      { name: 'a', triggers: [{ type: 'webhook', key: 'x', meta: { label: 'Hook' } }] },
      'flow.triggers.0 (Hook): the key of webhook must be an ID of 24 hexadecimal digits',
    ],
    [
      { name: 'a', nodes: [{ id: 'one', type: 'DebugNode', outputIds: [['two']] }] },
      'flow.nodes.0 (one): Referenced output ID two does not exist.',
    ],
    [
      {
        name: 'a',
        nodes: [
          { id: 'one', type: 'A' },
          { id: 'one', type: 'B' },
        ],
      },
      'flow.nodes.1 (one): Node IDs must be unique.',
    ],
    [
      {
        name: 'a',
        flowClass: 'embedded',
        nodes: [{ id: 'hot', type: 'ConditionalNode', config: { expression: '{{data.temp}} >' } }],
      },
      'flow.nodes.0 (hot): config.expression ends before an expected value (at character 16)',
    ],
    [
      { name: 'a', flowClass: 'embedded', triggers: [{ type: 'timer', config: { cron: '* * * * *' } }] },
      'flow.triggers.0 (timer): config.cron is not valid for Embedded workflows.',
    ],
    [
      { name: 'a', flowClass: 'embedded', triggers: [{ type: 'mqttTopic', key: 'fieldwright/a' }] },
      'flow.triggers.0 (mqttTopic): the key of mqttTopic must not begin with fieldwright/',
    ],
    [{ name: 'a', globals: [{ key: 'k', json: '{' }] }, 'flow.globals.0.json must be JSON as text'],
  ])('rejects %j', async (body, message) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { type: 'Validation', message } });
    expect(await countFlows()).toBe(0);
  });
});

describe('Authorization to create workflows', () => {
  it.each([
    ['none', 404],
    ['view', 403],
    ['collaborate', 201],
  ] as const)('with the role %s, returns %i', async (role, status) => {
    const org = await makeOrg(test, user.token);
    application = await makeApplication(test, user.token, { orgId: org.id });
    const { token } = await makeMember(test, org.id, role);
    expect((await create({ name: 'a' }, token)).status).toBe(status);
  });

  it.each([
    ['flows.post', 201],
    ['flows.*', 201],
    ['all.Application', 201],
    ['all.Application.bounded', 403],
    ['flow.*', 403],
  ])('with the scope %s, returns %i', async (scope, status) => {
    expect((await create({ name: 'a' }, tokenOf(test, user.id, [scope]))).status).toBe(status);
  });

  it("creates an entry in the organization's audit log", async () => {
    const org = await makeOrg(test, user.token);
    application = await makeApplication(test, user.token, { orgId: org.id });
    const flow = await makeFlow(test, user.token, application.id);
    const { body } = await test.client.get(`/orgs/${org.id}/audit-logs`, { token: user.token });
    expect(body.items[0]).toMatchObject({
      requestResource: 'flows',
      requestAction: 'post',
      primaryTargetId: application.id,
      primaryTargetType: 'Application',
      secondaryTargetId: flow.id,
      secondaryTargetName: flow.name,
      secondaryTargetType: 'Flow',
    });
  });
});

describe('Workflow count', () => {
  it('is in the summaries of the application, the organization and the user', async () => {
    const org = await makeOrg(test, user.token);
    const theirs = await makeApplication(test, user.token, { orgId: org.id });
    await makeFlow(test, user.token, theirs.id);
    await makeFlow(test, user.token, application.id);
    await makeFlow(test, user.token, application.id, CUSTOM_NODE);
    for (const [path, flowCount] of [
      [`/applications/${application.id}`, 2],
      [`/orgs/${org.id}`, 1],
      ['/me', 2],
    ] as const) {
      const { body } = await test.client.get(`${path}?summaryInclude=flowCount`, { token: user.token });
      expect(body.summary).toEqual({ flowCount });
    }
  });

  it('has a limit per application, which concurrent requests cannot exceed', async () => {
    await test.dataSource.query(`UPDATE users SET limits = '{"flow": 2}' WHERE id = $1`, [user.id]);
    const answers = await Promise.all(Array.from({ length: 4 }, () => create({ name: 'a' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400]);
    expect(answers.find(({ status }) => status === 400)!.body.message).toBe(
      'The limit of 2 workflows is reached',
    );
    application = await makeApplication(test, user.token);
    expect((await create({ name: 'a' })).status).toBe(201);
  });
});
