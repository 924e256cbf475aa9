import type { FlowClass, FlowGraph, FlowNode, Json } from './graph.js';
import { checkGraph } from './graph.rules.js';
import { NODE_KINDS } from '../nodes/index.js';
import { faultOfSettings } from '../nodes/node-fault.js';
import { node, refusal } from '../../../test/doubles/graph-rules.js';
import { SAMPLES } from '../../../test/make/graphs.js';

/** Returns a valid graph of the class with one additional node. */
function graphWith(flowClass: FlowClass, more: FlowNode): FlowGraph {
  const nodes = [{ id: 'end', type: 'CustomNodeCapNode' }, more];
  if (flowClass === 'customNode') return { triggers: [{ type: 'customNodeStart' }], nodes };
  return { nodes: [more], minimumAgentVersion: '9.0.0' };
}

describe('checkGraph', () => {
  it.each(SAMPLES)('accepts %s', (_name, flowClass, graph) => {
    expect(() => checkGraph(flowClass, graph)).not.toThrow();
  });

  it('uses the name given by the caller in errors', () => {
    const graph = { nodes: [node('a'), node('a')] };
    expect(refusal('cloud', graph, 'flowVersion')).toBe('flowVersion.nodes.1 (a): Node IDs must be unique.');
  });

  it('names the invalid part by its ID, else its label, else its type, in up to 64 characters', () => {
    const outputIds = [['gone']];
    const meta = { label: 'Every minute' };
    const name = (part: FlowNode) => refusal('cloud', { nodes: [part] });
    expect(name({ id: 'a', type: 'DebugNode', meta, outputIds })).toMatch(/^flow\.nodes\.0 \(a\): /);
    expect(name({ type: 'DebugNode', meta, outputIds })).toMatch(/^flow\.nodes\.0 \(Every minute\): /);
    expect(name({ type: 'DebugNode', meta: { label: 7 }, outputIds })).toMatch(/\(DebugNode\): /);
    expect(name({ id: 'x'.repeat(1024), type: 'DebugNode', outputIds })).toContain(`(${'x'.repeat(64)}):`);
    expect(refusal('cloud', { triggers: [{ type: 'timer', meta, outputIds }] })).toMatch(
      /^flow\.triggers\.0 \(Every minute\): /,
    );
  });

  it('reports the first error in document order', () => {
    const bad = { outputIds: [['gone']] };
    const graph = {
      triggers: [{ type: 'timer' }, { type: 'timer', ...bad }, { type: 'nothing' }],
      nodes: [node('a', bad)],
    };
    expect(refusal('cloud', graph)).toContain('flow.triggers.1 (timer)');
    expect(refusal('cloud', { ...graph, triggers: [] })).toContain('flow.nodes.0 (a)');
  });
});

describe('The types of nodes', () => {
  it.each<[FlowClass, string]>([
    ['cloud', 'ModbusReadNode'],
    ['experience', 'GetPeripheralNode'],
    ['edge', 'ResourceJobExecuteNode'],
    ['edge', 'CreateEventNode'],
    ['embedded', 'SnowflakeNode'],
  ])('are refused in workflows of the class %s: %s', (flowClass, type) => {
    const graph = graphWith(flowClass, { id: 'a', type });
    expect(refusal(flowClass, graph)).toMatch(
      new RegExp(`\\(a\\): ${type} is not valid for \\w+ workflows\\.$`),
    );
  });

  it.each<[FlowClass, string]>([
    ['cloud', 'SnowflakeNode'],
    ['customNode', 'ModbusReadNode'],
    ['edge', 'ModbusReadNode'],
    ['experience', 'NotebookExecuteNode'],
    ['cloud', 'TeleportNode'],
  ])('are kept in workflows of the class %s, also if the engine cannot run them: %s', (flowClass, type) => {
    expect(() => checkGraph(flowClass, graphWith(flowClass, { id: 'a', type }))).not.toThrow();
  });

  it.each<[FlowGraph, string]>([
    [
      { nodes: [{ id: 'a', type: 'ObjectNode' }] },
      'nodes.0 (a): ObjectNode requires Workflow Agent 1.20.0 or higher.',
    ],
    [
      { triggers: [{ type: 'onSync' }] },
      'triggers.0 (onSync): onSync requires Workflow Agent 1.39.0 or higher.',
    ],
  ])('of edge workflows need an agent that has them', (graph, fault) => {
    const of = (minimumAgentVersion: string) => ({ ...graph, minimumAgentVersion });
    expect(refusal('edge', of('1.9.9'))).toBe(`flow.${fault}`);
    expect(() => checkGraph('edge', of('1.39.0'))).not.toThrow();
    expect(() => checkGraph('cloud', { nodes: graph.nodes })).not.toThrow();
  });
});

describe('Outputs', () => {
  const inLoop = (groupId?: string) => ({ meta: { groupId } });
  const loop = (outputIds: string[][], id?: string): FlowNode => ({ id, type: 'LoopNode', outputIds });
  const gone = (id: string) => `Referenced output ID ${id} does not exist.`;
  const outside = (id: string) => `Referenced output ID ${id} does not exist in the required group.`;

  it.each<[string, FlowGraph, string]>([
    ['of a node to none', { nodes: [node('a', { outputIds: [[], ['b']] })] }, gone('b')],
    ['of a trigger to none', { triggers: [{ type: 'timer', outputIds: [['b']] }] }, gone('b')],
    ['to itself', { nodes: [node('a', { outputIds: [['a']] })] }, 'A node cannot connect to itself.'],
    ['that differ in case', { nodes: [node('a', { outputIds: [['B']] }), node('b')] }, gone('B')],
    ['into a loop, to what stands outside', { nodes: [loop([[], ['b']], 'l'), node('b')] }, outside('b')],
    [
      'into a loop, to what stands in another',
      { nodes: [loop([[], ['b']], 'l'), node('b', inLoop('m')), loop([], 'm')] },
      outside('b'),
    ],
    [
      'out of a loop, to what stands inside',
      { nodes: [loop([['b'], []], 'l'), node('b', inLoop('l'))] },
      outside('b'),
    ],
    [
      'from outside a loop to what stands inside',
      { nodes: [loop([], 'l'), node('a', { outputIds: [['b']] }), node('b', inLoop('l'))] },
      outside('b'),
    ],
    [
      'from inside a loop to what stands outside',
      { nodes: [loop([], 'l'), node('a', { ...inLoop('l'), outputIds: [['b']] }), node('b')] },
      outside('b'),
    ],
    [
      'of a trigger to what stands inside a loop',
      { triggers: [{ type: 'timer', outputIds: [['b']] }], nodes: [loop([], 'l'), node('b', inLoop('l'))] },
      outside('b'),
    ],
    ['into a loop without an id', { nodes: [loop([[], ['b']]), node('b')] }, outside('b')],
  ])('%s are rejected', (_name, graph, sentence) => {
    expect(refusal('cloud', graph)).toMatch(new RegExp(`^flow\\.\\w+\\.\\d \\(\\w+\\): ${sentence}$`));
  });

  it('within a loop, into a nested loop and in cycles are accepted', () => {
    const nodes = [
      loop([['after'], ['inner']], 'outer'),
      { ...loop([['cap'], ['deep']], 'inner'), ...inLoop('outer') },
      node('deep', { ...inLoop('inner'), outputIds: [['deeper']] }),
      node('deeper', { ...inLoop('inner'), outputIds: [['deep']] }),
      node('cap', inLoop('outer')),
      node('after', inLoop('')),
    ];
    expect(() => checkGraph('cloud', { nodes })).not.toThrow();
  });
});

describe('Nodes', () => {
  it('can have unknown types in cloud, edge and experience workflows', () => {
    for (const flowClass of ['cloud', 'edge', 'experience', 'customNode'] as const)
      expect(() =>
        checkGraph(flowClass, graphWith(flowClass, node('a', { type: 'FutureNode' }))),
      ).not.toThrow();
  });

  it.each(['cloud', 'edge', 'experience', 'customNode'] as const)(
    'have configurations that the engine can read in %s workflows',
    (flowClass) => {
      const refused = (type: string, config: Json) =>
        refusal(flowClass, graphWith(flowClass, node('a', { type, config })));
      expect(refused('MutateNode', { rules: [{ type: 'set' }, { type: 'put' }] })).toMatch(
        /^flow\.nodes\.\d \(a\): config\.rules\.1\.type must be one of set, copy, move, remove$/,
      );
      expect(refused('ConditionalNode', { expression: '{{data.a}} >' })).toContain('config.expression ends');
      expect(refused('SwitchNode', { switchTemplate: '{{data' })).toContain('config.switchTemplate');
      expect(refused('JsonDecodeNode', { source: 'a..b' })).toContain('config.source is not a path');
      expect(refused('DebugNode', { level: 5 })).toContain('config.level must be one of');
    },
  );

  it.each([...NODE_KINDS.values()].filter(({ run }) => run?.settings).map(({ type }) => type))(
    'of type %s can be incomplete, and have unknown properties, unless they are for devices',
    (type) => {
      for (const config of [undefined, {}, { unknown: [1] }])
        expect(faultOfSettings({ type, config })).toBeUndefined();
    },
  );

  it.each([
    'HttpNode',
    'CustomNodeExecuteNode',
    'RawFunctionNode',
    'FutureNode',
    'constructor',
    'CustomNodeCapNode',
  ])('of type %s are rejected in embedded workflows', (type) => {
    expect(refusal('embedded', { nodes: [node('a'), node('b', { type })] })).toBe(
      `flow.nodes.1 (b): ${type} is not valid for Embedded workflows.`,
    );
  });

  it('cannot loop in parallel in embedded workflows', () => {
    const paths = { loopSourcePath: 'data.rows', currentItemPath: 'working.row' };
    const loop = (parallel: boolean) => ({
      nodes: [node('l', { type: 'LoopNode', config: { ...paths, parallel } })],
    });
    expect(() => checkGraph('embedded', loop(false))).not.toThrow();
    expect(refusal('embedded', loop(true))).toContain('A parallel loop is not valid for Embedded workflows.');
    expect(() => checkGraph('cloud', loop(true))).not.toThrow();
  });

  it('can omit their ID, but cannot share one', () => {
    expect(() =>
      checkGraph('cloud', { nodes: [{ type: 'A' }, { type: 'A' }, node(''), node('')] }),
    ).not.toThrow();
    expect(refusal('cloud', { nodes: [node('a'), node('b'), node('a')] })).toBe(
      'flow.nodes.2 (a): Node IDs must be unique.',
    );
  });

  it('can have a configuration nested up to 32 levels deep', () => {
    const nested = (depth: number): object =>
      depth === 1 ? { a: 1, b: null } : { a: [], b: nested(depth - 1) };
    const graph = (depth: number): FlowGraph => ({ nodes: [node('a', { config: { ...nested(depth) } })] });
    expect(() => checkGraph('cloud', graph(32))).not.toThrow();
    expect(refusal('cloud', graph(33))).toBe(
      'flow.nodes.0 (a): config must not be nested more than 32 levels deep',
    );
  });
});

describe('An edge workflow', () => {
  it('requires a minimum agent version', () => {
    expect(refusal('edge', {})).toBe('flow.minimumAgentVersion is required for Edge workflows');
    expect(refusal('edge', { minimumAgentVersion: null })).toContain('flow.minimumAgentVersion is required');
    expect(() => checkGraph('edge', { minimumAgentVersion: '1.0.0' })).not.toThrow();
    expect(() => checkGraph('embedded', {})).not.toThrow();
  });
});

describe('Topics', () => {
  const topicPrefix = 'own';
  const hearing = (key: string): FlowGraph => ({
    triggers: [{ type: 'mqttTopic', key }],
    minimumAgentVersion: '1.0.0',
  });
  const publishing = (topicTemplate: string): FlowGraph => ({
    nodes: [node('a', { type: 'MqttMessageNode', config: { topicTemplate } })],
  });

  it.each(['cloud', 'edge', 'embedded'] as const)(
    'of the platform cannot be subscribed to by %s workflows',
    (flowClass) => {
      for (const key of ['own', 'owner/a', 'a/own/b', '#', '+/a'])
        expect(() => checkGraph(flowClass, hearing(key), { topicPrefix })).not.toThrow();
      for (const key of ['own/', 'own/#', 'own/+/command'])
        expect(() => checkGraph(flowClass, hearing(key), { topicPrefix })).toThrow(
          'flow.triggers.0 (mqttTopic): the key of mqttTopic must not begin with own/',
        );
    },
  );

  it('of the platform cannot be published to by embedded workflows', () => {
    for (const topic of ['own', 'owner/a', '{{data.a}}/own/'])
      expect(() => checkGraph('embedded', publishing(topic), { topicPrefix })).not.toThrow();
    for (const topic of ['own/a', 'own/{{deviceId}}/state'])
      expect(() => checkGraph('embedded', publishing(topic), { topicPrefix })).toThrow(
        'flow.nodes.0 (a): config.topicTemplate must not begin with own/',
      );
  });
});

describe('Globals', () => {
  it('have unique keys and JSON values', () => {
    const twice = [
      { key: 'a', json: '1' },
      { key: 'a', json: '2' },
    ];
    expect(refusal('cloud', { globals: twice })).toBe('flow.globals.1.key "a" is a duplicate');
    expect(refusal('cloud', { globals: [{ key: 'a', json: '{' }] })).toBe(
      'flow.globals.0.json must be JSON as text',
    );
  });

  it('of embedded workflows can be nested as deep as devices support', () => {
    const nested = (depth: number) => [{ key: 'a', json: '['.repeat(depth) + ']'.repeat(depth) }];
    expect(() => checkGraph('embedded', { globals: nested(128) })).not.toThrow();
    expect(refusal('embedded', { globals: [{ key: 'b', json: '1' }, ...nested(129)] })).toBe(
      'flow.globals.1.json must not be nested more than 128 levels deep',
    );
    expect(() => checkGraph('cloud', { globals: nested(129) })).not.toThrow();
  });
});
