import { UNKNOWN } from '../../../../test/make/api-tokens.js';
import { instanceWithNodes, NODE } from '../../../../test/make/custom-nodes.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';

const { triggers, nodes } = NODE;
const CONFIG = { outputCount: 1, resultMode: 'optional', fields: [] };
const ICON = 'data:image/png;base64,iVBORw0KGgo=';

const { test } = suite();

const instance = (more?: object) => instanceWithNodes(test, more);

describe('POST /instances/{instanceId}/nodes', () => {
  it('creates a custom node from the required properties', async () => {
    const { id, admin, create, get } = await instance();
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      instanceCustomNodeId: body.id,
      instanceId: id,
      creationDate: body.creationDate,
      lastUpdated: body.creationDate,
      createdById: admin.id,
      createdByType: 'user',
      lastUpdatedById: admin.id,
      lastUpdatedByType: 'user',
      ...NODE,
      triggers: [{ type: 'customNodeStart', key: 'customNodeStart', outputIds: [['end']] }],
      stats: { runCount: 0, errorCount: 0 },
      usage: {},
    });
    expect((await get(body.id)).body).toEqual(body);
  });

  it('accepts all properties', async () => {
    const { made } = await instance();
    const given = {
      description: 'The mean',
      shortDescription: 'Averages',
      iconData: ICON,
      docsUrl: 'https://example.com',
      category: 'logic',
      minimumAgentVersion: '1.2.3',
      customNodeConfig: CONFIG,
      customNodeSupports: ['edge'],
    };
    expect(await made(given)).toMatchObject(given);
  });

  it('treats an empty category and a null icon as not set', async () => {
    const { made } = await instance();
    const body = await made({ category: '', iconData: null });
    expect(body).not.toHaveProperty('category');
    expect(body).not.toHaveProperty('iconData');
  });

  it.each<[string, object]>([
    ['instanceCustomNode.name is required', { name: undefined }],
    ['instanceCustomNode.triggers is required', { triggers: undefined }],
    ['instanceCustomNode.nodes is required', { nodes: undefined }],
    ['instanceCustomNode.name ', { name: '' }],
    ['instanceCustomNode.colour ', { colour: 'red' }],
    ['instanceCustomNode.globals ', { globals: [] }],
    ['instanceCustomNode.sourceFlowId ', { sourceFlowId: UNKNOWN }],
    ['instanceCustomNode.category ', { category: 'other' }],
    ['instanceCustomNode.iconData ', { iconData: 'x' }],
    ['instanceCustomNode.customNodeSupports', { customNodeSupports: ['embedded'] }],
    ['instanceCustomNode.minimumAgentVersion ', { minimumAgentVersion: '1' }],
    ['instanceCustomNode.triggers must have a customNodeStart', { triggers: [] }],
    ['instanceCustomNode.triggers.0 (timer): timer is not valid', { triggers: [{ type: 'timer' }] }],
    [
      'instanceCustomNode.triggers must contain exactly one trigger',
      { triggers: [...triggers, { type: 'virtualButton' }] },
    ],
    [
      'instanceCustomNode.nodes must have at least one CustomNodeCapNode',
      { nodes: [{ id: 'end', type: 'x' }] },
    ],
    [
      'instanceCustomNode.nodes.1 (end): Node IDs must be unique.',
      { nodes: [...nodes, { id: 'end', type: 'DebugNode' }] },
    ],
    [
      'instanceCustomNode.nodes.1 (a): Referenced output ID b does not exist.',
      { nodes: [...nodes, { id: 'a', type: 'DebugNode', outputIds: [['b']] }] },
    ],
  ])('rejects %s', async (message, body) => {
    const { create, list } = await instance();
    const answer = await create({ ...NODE, ...body });
    expect([answer.status, answer.body.type]).toEqual([400, 'Validation']);
    expect(answer.body.message.slice(0, message.length)).toBe(message);
    expect((await list()).body.totalCount).toBe(0);
  });

  it('gives the last place within the limit to one of two concurrent requests', async () => {
    const { create, list } = await instance({ limits: { instanceCustomNode: 1 } });
    const answers = await Promise.all([create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(answers.find(({ status }) => status === 400)!.body.message).toBe(
      'The limit of 1 custom nodes of the instance is reached',
    );
    expect((await list()).body.totalCount).toBe(1);
  });
});

describe('GET /instances/{instanceId}/nodes', () => {
  it('sorts, paginates and filters, with one statement', async () => {
    const { id, path, token, made, list } = await instance();
    for (const name of ['b', 'a', 'B', '100%']) await made({ name });
    const namesOf = ({ body }: { body: { items: { name: string }[] } }) => body.items.map(({ name }) => name);
    const answer = await list();
    expect(namesOf(answer)).toEqual(['100%', 'B', 'a', 'b']);
    expect(answer.body).toMatchObject({ totalCount: 4, perPage: 100, sortField: 'name', instanceId: id });
    for (const sortField of ['id', 'creationDate', 'lastUpdated'])
      expect(namesOf(await list(`?sortField=${sortField}&sortDirection=desc`))).toEqual([
        '100%',
        'B',
        'a',
        'b',
      ]);
    expect(namesOf(await list('?filterField=name&filter=b'))).toEqual(['B', 'b']);
    expect(namesOf(await list('?perPage=3&page=1'))).toEqual(['b']);
    expect((await list('?sortField=category')).status).toBe(400);
    const { statements } = await statementCounter(test)('GET', path, token);
    expect(statements.filter((text) => text.includes('instance_custom_nodes'))).toHaveLength(1);
  });

  it('returns only the custom nodes of this instance', async () => {
    const one = await instance();
    const other = await instance();
    const { id } = await one.made();
    expect((await other.list()).body.items).toEqual([]);
    for (const answer of [await other.get(id), await other.patch(id, { name: 'x' }), await other.remove(id)])
      expect([answer.status, answer.body.message]).toEqual([404, 'Custom node was not found']);
    expect((await one.get(id)).body.name).toBe('Average');
  });
});
