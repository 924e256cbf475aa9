import type { Bundle } from '../../../src/workflows/embedded/bundle.js';
import type { FlowGraph, FlowNode, FlowTrigger, Json } from '../../../src/workflows/graph/graph.js';
import { checkGraph } from '../../../src/workflows/graph/graph.rules.js';
import { bundleOf } from './bundle.js';

type Node = readonly [type: string, config: Json, outputs?: number];

/** Workflows that process the incoming data in every possible way, each started by every kind of message. */
const WORKFLOWS: Readonly<Record<string, readonly Node[]>> = {
  templates: [
    [
      'MutateNode',
      {
        rules: [
          {
            type: 'set',
            valueTemplate: '{{data}} {{data.a.b}} {{data.[0]}} {{data.length}} {{.}}',
            destination: 'working.text',
          },
          { type: 'copy', source: 'data', destination: 'data.[3].a' },
          { type: 'move', source: 'data.a', destination: 'data.__proto__' },
        ],
      },
    ],
    ['JsonEncodeNode', { source: '.', destination: 'working.json' }],
    [
      'JsonDecodeNode',
      {
        source: 'working.json',
        destination: 'working.copy',
        errorBehavior: 'payloadPath',
        errorPath: 'working.fault',
      },
    ],
    [
      'MutateNode',
      {
        rules: [
          {
            type: 'set',
            valueTemplate: '{ "a": "{{data.a}}", "b": {{data.b}} }',
            valueTemplateType: 'json',
            destination: 'working.made',
          },
        ],
      },
    ],
  ],
  texts: [['JsonDecodeNode', { source: 'data', destination: 'data' }]],
  lists: [
    [
      'ArrayNode',
      {
        sourceArrayPath: 'data',
        rules: [
          { type: 'flatten' },
          { type: 'deduplicate' },
          { type: 'sort', outputPath: 'working.sorted' },
          { type: 'sum', outputPath: 'working.sum' },
          { type: 'groupBy', inputTemplate: 'a', outputPath: 'working.groups' },
          {
            type: 'filter',
            inputTemplate: '{{value}} > {{value.a}} || {{value.length}} == {{array}}',
            outputPath: 'working.some',
          },
          { type: 'insertAt', inputTemplate: '{{data}}', indexTemplate: '{{data.[0]}}' },
        ],
      },
    ],
  ],
  stores: [
    ['StoreValueNode', { keyName: '{{data.a}}', valueType: 'path', valuePath: 'data' }],
    ['StoreValueNode', { keyName: 'count', valueType: 'incr', value: '{{data.b}}' }],
    ['GetValueNode', { valuePath: 'working.all', getAll: true }],
  ],
  sends: [
    [
      'DeviceChangeStateNode',
      {
        attrDataMethod: 'payloadPath',
        attrPayloadPath: 'data',
        timeSourceType: 'payloadPath',
        timeSourcePath: 'data.a',
        resultPath: 'working.reported',
      },
    ],
    [
      'MqttMessageNode',
      { topicTemplate: 't/{{data.a}}', messageTemplate: '{{data}}', resultPath: 'working.sent' },
    ],
  ],
  reckons: [
    [
      'MathNode',
      {
        statements: [
          { expression: '{{data}} * {{data.a}} % -({{data.b}}) ^ length({{data}})', resultPath: 'data.sum' },
        ],
      },
    ],
    [
      'ConditionalNode',
      { expression: '{{data.a}} == {{data.b}} || {{data}} < {{data.a}} && !{{data.b}}' },
      2,
    ],
    ['SwitchNode', { switchTemplate: '{{data.a}}', cases: [{ caseTemplate: '{{data.b}}' }] }, 2],
    [
      'LatchNode',
      { latchIdTemplate: '{{data.a}}', latchExpression: '{{data.b}}', resetExpression: '{{data}}' },
      2,
    ],
  ],
};

const TRIGGERS: readonly FlowTrigger[] = [
  { type: 'virtualButton', key: 'press' },
  { type: 'deviceCommand' },
  { type: 'mqttTopic', key: 'hostile/#' },
  { type: 'direct', key: 'hostile' },
];

function graphOf(nodes: readonly Node[]): FlowGraph {
  const all: readonly Node[] = [...nodes, ['DebugNode', { message: '{{data.a}}', property: 'data' }]];
  const chain = all.map(([type, config, outputs = 1], i): FlowNode => {
    const next = i + 1 < all.length ? [`node${i + 1}`] : [];
    return { id: `node${i}`, type, config, outputIds: Array.from({ length: outputs }, () => next) };
  });
  return { triggers: TRIGGERS.map((trigger) => ({ ...trigger, outputIds: [['node0']] })), nodes: chain };
}

/** A separate workflow for loops, with their rounds nested inside. */
const LOOPS: FlowGraph = {
  triggers: TRIGGERS.map((trigger) => ({ ...trigger, outputIds: [['loop']] })),
  nodes: [
    {
      id: 'loop',
      type: 'LoopNode',
      config: {
        loopSourcePath: 'data',
        currentItemPath: 'working.item',
        mapResultPath: 'working.items',
        mapValuePath: 'working.item',
      },
      outputIds: [['end'], ['inner']],
    },
    {
      id: 'inner',
      type: 'MutateNode',
      config: { rules: [{ type: 'move', source: 'working.item.value', destination: 'working.item' }] },
      outputIds: [['cap']],
      meta: { groupId: 'loop' },
    },
    { id: 'cap', type: 'LoopCapNode', config: {}, outputIds: [], meta: { groupId: 'loop' } },
    { id: 'end', type: 'DebugNode', config: { message: 'end' } },
  ],
};

/** Returns a bundle of all of these workflows. */
export function hostileBundle(): Bundle {
  const graphs = {
    ...Object.fromEntries(Object.entries(WORKFLOWS).map(([name, nodes]) => [name, graphOf(nodes)])),
    loops: LOOPS,
  };
  for (const graph of Object.values(graphs)) checkGraph('embedded', graph);
  return bundleOf(graphs);
}
