import type { FlowNode, Json } from '../graph/graph.js';
import { checkGraph } from '../graph/graph.rules.js';

const loop: FlowNode = {
  id: 'loop',
  type: 'LoopNode',
  config: { loopSourcePath: 'data.rows', currentItemPath: 'working.row' },
};

function check(type: string, config?: Json): void {
  const node = { id: 'node', type, config, meta: type === 'LoopCapNode' ? { groupId: 'loop' } : {} };
  checkGraph('embedded', { nodes: [node, loop] });
}

/** Configurations taken from published workflows. */
const GOOD: readonly (readonly [type: string, config: Json | undefined])[] = [
  ['AnnotationNode', undefined],
  ['AnnotationNode', {}],
  ['ConditionalNode', { expression: '{{data.temp}} > 80' }],
  [
    'SwitchNode',
    {
      switchTemplate: '{{data.status}}',
      cases: [{ caseTemplate: 'active', caseLabel: 'Active', dontBreak: false }, { caseTemplate: '' }],
    },
  ],
  ['SwitchNode', { switchTemplate: '', cases: [] }],
  ['LatchNode', {}],
  [
    'LatchNode',
    {
      latchExpression: '{{data.temp}} > 90',
      resetExpression: '{{data.temp}} < 70',
      latchIdTemplate: '{{triggerId}}',
      wasLatchedPath: 'working.was',
      branchPath: '',
    },
  ],
  ['LoopNode', { ...loop.config, mapResultPath: '', mapValuePath: 'working.row.value', parallel: false }],
  ['LoopCapNode', {}],
  ['LoopCapNode', { loopNodeId: 'loop', shouldBreak: true, mapValuePath: '' }],
  ['DelayNode', { delay: '5' }],
  ['DelayNode', { delay: 0.5 }],
  ['DelayNode', { delay: '{{data.seconds}}' }],
  ['ThrowErrorNode', { messageTemplate: 'no row for {{data.id}}' }],
  ['DebugNode', undefined],
  ['DebugNode', { message: 'After {{data.id}}', property: 'working.result', level: 'info' }],
  ['GetValueNode', { keyName: 'count-{{data.id}}', valuePath: 'working.count' }],
  ['GetValueNode', { getAll: true, valuePath: 'working.all' }],
  ['GetValueNode', { keyName: 'a', valuePath: 'b', defaultValueType: 'json', defaultValue: '{"a":[1]}' }],
  ['GetValueNode', { keyName: 'a', valuePath: 'b', defaultValueType: 'path', defaultValue: 'data.start' }],
  ['StoreValueNode', { keyName: 'count', valueType: 'template', value: '{{working.count}}' }],
  ['StoreValueNode', { keyName: 'count', valueType: 'json', value: '{"n":{{working.n}}}' }],
  ['StoreValueNode', { keyName: 'count', valueType: 'path', valuePath: 'data', resultPath: 'working.x' }],
  ['StoreValueNode', { keyName: 'blink', valueType: 'path', value: 'data.payload', resultPath: '' }],
  ['StoreValueNode', { keyName: 'blink', valueType: 'clear', value: '' }],
  ['StoreValueNode', { keyName: 'count', valueType: 'incr', value: 1 }],
  ['StoreValueNode', { keyName: 'count', valueType: 'clear' }],
];

const BAD: readonly (readonly [type: string, config: Json | undefined, words: string])[] = [
  ['ConditionalNode', undefined, 'config.expression is required'],
  ['ConditionalNode', { expression: 1 }, 'config.expression must be a string'],
  ['ConditionalNode', { expression: '{{data.temp > 1' }, 'config.expression '],
  ['SwitchNode', { switchTemplate: 'a' }, 'config.cases is required'],
  ['SwitchNode', { switchTemplate: '{{', cases: [] }, 'config.switchTemplate '],
  [
    'SwitchNode',
    { switchTemplate: 'a', cases: [{ caseTemplate: 'a' }, { caseTemplate: '{{a' }] },
    'config.cases.1.caseTemplate ',
  ],
  ['SwitchNode', { switchTemplate: 'a', cases: [{}] }, 'config.cases.0.caseTemplate is required'],
  [
    'SwitchNode',
    { switchTemplate: 'a', cases: Array.from({ length: 100 }, () => ({ caseTemplate: '' })) },
    'config.cases must have at most 99 entries',
  ],
  ['LatchNode', { latchExpression: '{{' }, 'config.latchExpression '],
  ['LatchNode', { branchPath: '{{a}}' }, 'config.branchPath '],
  ['LoopNode', { currentItemPath: 'a' }, 'config.loopSourcePath is required'],
  ['LoopNode', { ...loop.config, currentItemPath: '' }, 'config.currentItemPath must have at least 1'],
  ['LoopNode', { ...loop.config, mapResultPath: '{{a}}' }, 'config.mapResultPath '],
  ['LoopNode', { ...loop.config, currentItemPath: '.' }, 'config.currentItemPath must not be the whole'],
  ['LoopNode', { ...loop.config, parallel: true }, 'A parallel loop is not valid for Embedded workflows.'],
  [
    'LoopCapNode',
    { loopNodeId: 'other' },
    "config.loopNodeId must be the enclosing loop, the node's meta.groupId",
  ],
  ['LoopCapNode', { shouldBreak: 'yes' }, 'config.shouldBreak must be a boolean'],
  ['DelayNode', {}, 'config.delay is required'],
  ['DelayNode', { delay: '3601' }, 'config.delay must be from 0 to 3600 seconds'],
  ['DelayNode', { delay: -1 }, 'config.delay must be from 0 to 3600 seconds'],
  ['DelayNode', { delay: true }, 'config.delay must be a string or a number'],
  ['DelayNode', { delay: 'soon' }, 'config.delay must be a number, or a template for one'],
  ['ThrowErrorNode', {}, 'config.messageTemplate is required'],
  ['DebugNode', { level: 'loud' }, 'config.level must be one of verbose, info, warn, error'],
  ['DebugNode', { property: '{{a}}' }, 'config.property '],
  ['GetValueNode', { valuePath: 'a' }, 'config.keyName is required'],
  ['GetValueNode', { keyName: 'a' }, 'config.valuePath is required'],
  [
    'GetValueNode',
    { keyName: 'a', valuePath: 'b', defaultValueType: 'path', defaultValue: '{{a}}' },
    'config.defaultValue ',
  ],
  ['StoreValueNode', { valueType: 'clear' }, 'config.keyName is required'],
  ['StoreValueNode', { keyName: 'a', valueType: 'wish' }, 'config.valueType must be one of'],
  ['StoreValueNode', { keyName: 'a', valueType: 'path' }, 'config.value is required'],
  ['StoreValueNode', { keyName: 'a', valueType: 'incr' }, 'config.value is required'],
  ['StoreValueNode', { keyName: 'a', valueType: 'json', value: '{{' }, 'config.value '],
];

describe('Configuration of nodes in embedded workflows', () => {
  it.each(GOOD)('of type %s is accepted: %j', (type, config) => {
    expect(() => check(type, config)).not.toThrow();
    expect(() => check(type, { ...config, memberOfAnotherEditor: { a: 1 } })).not.toThrow();
  });

  it.each(BAD)('of type %s is rejected with an error that names the property: %j', (type, config, words) => {
    expect(() => check(type, config)).toThrow(`flow.nodes.0 (node): ${words}`);
  });

  it('allows LoopCapNode inside loops only', () => {
    const nodes = [{ id: 'cap', type: 'LoopCapNode' }];
    expect(() => checkGraph('embedded', { nodes })).toThrow('LoopCapNode must be inside a loop.');
    expect(() => checkGraph('cloud', { nodes })).not.toThrow();
  });

  it('rejects cycles of any length', () => {
    const chain = (length: number, last: string[]): FlowNode[] =>
      Array.from({ length }, (_, i) => ({
        id: `n${i}`,
        type: 'DebugNode',
        outputIds: [i + 1 < length ? [`n${i + 1}`, `n${length - 1}`] : last],
      }));
    const circle = 'Outputs of Embedded workflows cannot form a cycle.';
    expect(() => checkGraph('embedded', { nodes: chain(5000, []) })).not.toThrow();
    expect(() => checkGraph('embedded', { nodes: chain(5000, ['n4000']) })).toThrow(
      `flow.nodes.4999 (n4999): ${circle}`,
    );
    expect(() => checkGraph('embedded', { nodes: chain(2, ['n0']) })).toThrow(circle);
    expect(() => checkGraph('cloud', { nodes: chain(2, ['n0']) })).not.toThrow();
  });

  it('is not restricted in workflows of other classes', () => {
    expect(() => checkGraph('cloud', { nodes: [{ type: 'ConditionalNode', config: {} }] })).not.toThrow();
  });
});
