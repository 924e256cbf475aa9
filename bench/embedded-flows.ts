import type { Bundle } from '../src/workflows/embedded/bundle.js';
import type { FlowNode } from '../src/workflows/graph/graph.js';

const ID = '575ecf887ae143cd83dc4aa2';

/** Returns a bundle of one workflow that a timer starts every second. */
function bundleOf(name: string, nodes: readonly FlowNode[]): Bundle {
  const triggers = [{ type: 'timer', key: 'tick', config: { seconds: 1 }, outputIds: [[nodes[0]!.id!]] }];
  const flow = { flowId: ID, name, version: '1.0.0', graph: { triggers, nodes } };
  return { deviceId: ID, deploymentId: ID, identifier: '1781323200000', globals: [], flows: [flow] };
}

/** Connects steps in sequence, each through its first output. */
const chain = (...steps: Omit<FlowNode, 'id' | 'outputIds'>[]): FlowNode[] =>
  steps.map((step, i) => ({
    ...step,
    id: `n${i}`,
    outputIds: [i + 1 < steps.length ? [`n${i + 1}`] : []],
  }));

/** A workflow typical of a sensor: it calculates, decides, stores and reports. */
export const tenNodes: Bundle = bundleOf(
  'Sensor',
  chain(
    { type: 'RandomNumberNode', config: { min: 0, max: 1_000, resultPath: 'working.raw' } },
    {
      type: 'MathNode',
      config: { statements: [{ expression: '{{working.raw}} / 10 - 20', resultPath: 'working.celsius' }] },
    },
    { type: 'GetValueNode', config: { keyName: 'count', valuePath: 'working.count', defaultValue: '0' } },
    { type: 'StoreValueNode', config: { keyName: 'count', valueType: 'incr', value: '1' } },
    {
      type: 'MutateNode',
      config: {
        rules: [
          {
            type: 'set',
            destination: 'working.text',
            valueTemplate: '{{working.celsius}} at {{time}}',
            valueTemplateType: 'string',
          },
        ],
      },
    },
    {
      type: 'SwitchNode',
      config: { switchTemplate: '{{triggerType}}', cases: [{ caseTemplate: 'direct' }] },
    },
    { type: 'JsonEncodeNode', config: { source: 'working', destination: 'data.json' } },
    { type: 'JsonDecodeNode', config: { source: 'data.json', destination: 'data.again' } },
    {
      type: 'DeviceChangeStateNode',
      config: { attrInfos: [{ key: 'celsius', valueTemplate: '{{working.celsius}}' }] },
    },
    { type: 'MqttMessageNode', config: { topicTemplate: 'readings', messageTemplate: '{{data.json}}' } },
  ),
);

/** Returns a workflow that loops this many rounds, calculates in each round, and sends a message at the end. */
export const looping = (rounds: number): Bundle =>
  bundleOf('Loop', [
    {
      id: 'begin',
      type: 'MathNode',
      config: {
        statements: [
          { expression: String(rounds), resultPath: 'working.rounds' },
          { expression: '0', resultPath: 'working.sum' },
        ],
      },
      outputIds: [['loop']],
    },
    {
      id: 'loop',
      type: 'LoopNode',
      config: { loopSourcePath: 'working.rounds', currentItemPath: 'working.item' },
      outputIds: [['end'], ['add']],
    },
    {
      id: 'add',
      type: 'MathNode',
      config: {
        statements: [{ expression: '{{working.sum}} + {{working.item.index}}', resultPath: 'working.sum' }],
      },
      meta: { groupId: 'loop' },
      outputIds: [['cap']],
    },
    {
      id: 'cap',
      type: 'LoopCapNode',
      config: { loopNodeId: 'loop' },
      meta: { groupId: 'loop' },
      outputIds: [[]],
    },
    {
      id: 'end',
      type: 'MqttMessageNode',
      config: { topicTemplate: 'sums', messageTemplate: '{{working.sum}}' },
      outputIds: [[]],
    },
  ]);
