import type { BundledFlow } from '../../../src/workflows/embedded/bundle.js';
import type { FlowNode, Json } from '../../../src/workflows/graph/graph.js';

const node = (id: string, type: string, config: Json, ...outputIds: string[][]): FlowNode => ({
  id,
  type,
  config,
  outputIds,
});
/** Returns a debug node that outputs its own ID and the payload, or the value at `property`. */
const show = (id: string, property?: string, ...next: string[]): FlowNode =>
  node(id, 'DebugNode', { message: id, property }, next);
const within = (groupId: string, ...nodes: FlowNode[]): FlowNode[] =>
  nodes.map((inner) => ({ ...inner, meta: { groupId } }));
const template = (value: string) => ({ valueType: 'template', value });
const store = (id: string, config: Json, ...next: string[]) => node(id, 'StoreValueNode', config, next);
const get = (id: string, config: Json, ...next: string[]) => node(id, 'GetValueNode', config, next);

const loop = (id: string, config: Json, after: string[], inside: string[]): FlowNode =>
  node(
    id,
    'LoopNode',
    { loopSourcePath: 'data.source', currentItemPath: 'working.item', ...config },
    after,
    inside,
  );
const cap = (id: string, config: Json = {}): FlowNode => node(id, 'LoopCapNode', config);

/** Workflows by the ID of the direct trigger that starts the first node of each. */
const WORKFLOWS: Readonly<Record<string, readonly FlowNode[]>> = {
  condition: [
    node('if', 'ConditionalNode', { expression: '{{data.level}} > 80' }, ['no'], ['yes']),
    show('no'),
    show('yes'),
  ],
  switch: [
    node('note', 'AnnotationNode', {}, ['switch']),
    node(
      'switch',
      'SwitchNode',
      {
        switchTemplate: '{{data.state}}',
        cases: [{ caseTemplate: 'on' }, { caseTemplate: '{{data.other}}' }, { caseTemplate: 'on' }],
      },
      ['default'],
      ['first'],
      ['second'],
      ['third'],
    ),
    ...['default', 'first', 'second', 'third'].map((id) => show(id)),
  ],
  latch: [
    node(
      'latch',
      'LatchNode',
      {
        latchExpression: '{{data.level}} > 90',
        resetExpression: '{{data.level}} < 70',
        latchIdTemplate: '{{data.id}}',
        latchResultPath: 'working.latches',
        resetResultPath: 'working.resets',
        wasLatchedPath: 'working.was',
        isLatchedPath: 'working.is',
        branchPath: 'working.branch',
      },
      ['open'],
      ['closed'],
    ),
    show('open', 'working'),
    show('closed', 'working'),
  ],
  bare: [node('bare', 'LatchNode', {}, ['never'], ['ever']), show('never'), show('ever')],
  delay: [node('wait', 'DelayNode', { delay: '{{data.seconds}}' }, ['done']), show('done')],
  delays: [
    node('half', 'DelayNode', { delay: 0.5 }, ['two']),
    node('two', 'DelayNode', { delay: '2' }, ['done']),
    show('done'),
  ],
  throw: [
    show('begin', '', 'before', 'throw', 'never'),
    show('before'),
    node('throw', 'ThrowErrorNode', { messageTemplate: 'no row for {{data.id}}' }),
    show('never'),
  ],
  debug: [
    node('say', 'DebugNode', { message: 'It is {{data.level}}' }, ['part']),
    node('part', 'DebugNode', { property: 'data.level', level: 'warn' }, ['nothing']),
    node('nothing', 'DebugNode', { property: 'data.nowhere' }),
  ],
  items: [
    loop('loop', { mapResultPath: 'working.items' }, ['after'], ['cap']),
    ...within('loop', cap('cap')),
    show('after', 'working.items'),
  ],
  /** Checks whether changes in one round are visible in the next and after the loop. */
  carried: [
    store('reset', { keyName: 'n', valueType: 'clear' }, 'loop'),
    loop('loop', {}, ['after'], ['count']),
    ...within(
      'loop',
      store('count', { keyName: 'n', valueType: 'incr', value: '1', resultPath: 'working.n' }, 'if'),
      node('if', 'ConditionalNode', { expression: '{{working.n}} < 3' }, [], ['next']),
      cap('next', { loopNodeId: 'loop' }),
    ),
    show('after', 'working.n'),
  ],
  broken: [
    loop('loop', { mapResultPath: 'working.map', mapValuePath: 'working.item.index' }, ['after'], ['if']),
    ...within(
      'loop',
      node('if', 'ConditionalNode', { expression: '{{working.item.value}} === "stop"' }, ['go'], ['stop']),
      node('go', 'ConditionalNode', { expression: '{{working.item.value}} === "skip"' }, ['next'], []),
      cap('next', { shouldBreak: false, mapValuePath: '' }),
      cap('stop', { shouldBreak: true, mapValuePath: 'working.item.value' }),
    ),
    show('after', 'working.map'),
  ],
  /** Two caps in one round: the first one applies. */
  capped: [
    loop('loop', { mapResultPath: 'working.map' }, ['after'], ['one', 'two']),
    ...within('loop', cap('one', { mapValuePath: 'working.item.index' }), cap('two', { shouldBreak: true })),
    show('after', 'working.map'),
  ],
  nested: [
    loop('outer', { currentItemPath: 'working.row', mapResultPath: 'working.rows' }, ['after'], ['inner']),
    ...within(
      'outer',
      loop(
        'inner',
        { loopSourcePath: 'working.row.value', mapResultPath: 'working.cells' },
        ['sum'],
        ['cell'],
      ),
      cap('sum', { mapValuePath: 'working.cells' }),
    ),
    ...within('inner', cap('cell', { mapValuePath: 'working.item.value' })),
    show('after', 'working'),
  ],
  failing: [
    loop('loop', {}, ['after'], ['inside']),
    ...within(
      'loop',
      show('inside', 'working.item.index', 'if'),
      node('if', 'ConditionalNode', { expression: '{{working.item.value}} === "bad"' }, ['next'], ['throw']),
      cap('next'),
      node('throw', 'ThrowErrorNode', { messageTemplate: 'bad' }),
    ),
    show('after'),
  ],
  /** Changes the array that it iterates over. */
  changing: [
    loop(
      'loop',
      { mapResultPath: 'working.map', mapValuePath: 'working.item.value.n' },
      ['after'],
      ['change'],
    ),
    ...within(
      'loop',
      store('change', { keyName: 'k', ...template('changed'), resultPath: 'data.source.2.n' }, 'next'),
      cap('next'),
    ),
    show('after'),
  ],
  /** A round that reaches no cap leaves no item behind. */
  looking: [
    loop('loop', { currentItemPath: 'item' }, ['after'], ['if']),
    ...within(
      'loop',
      node('if', 'ConditionalNode', { expression: '{{item.index}} === 1' }, [], ['next']),
      cap('next', { shouldBreak: true }),
    ),
    show('after', 'item'),
  ],
  hollow: [loop('loop', { mapResultPath: 'working.map' }, ['after'], []), show('after', 'working')],
  misplaced: [
    loop('loop', { currentItemPath: 'data.source.name' }, ['after'], ['cap']),
    ...within('loop', cap('cap')),
    show('after'),
  ],
  store: [
    store(
      'text',
      { keyName: 'key-{{data.id}}', ...template('{{data.value}}!'), resultPath: 'working.a' },
      'b',
    ),
    store('b', { keyName: 'json', valueType: 'json', value: '{"v":{{data.value}}}' }, 'c'),
    store('c', { keyName: 'number', valueType: 'number', value: '{{data.value}}' }, 'd'),
    store('d', { keyName: 'path', valueType: 'path', valuePath: 'data' }, 'e'),
    store('e', { keyName: 'count', valueType: 'incr', value: 2 }, 'f'),
    store('f', { keyName: 'count', valueType: 'decr', value: '0.5', resultPath: 'working.count' }, 'g'),
    get('g', { getAll: true, valuePath: 'working.all' }, 'shown'),
    show('shown', 'working'),
  ],
  clear: [
    store('clear', { keyName: '{{data.key}}', valueType: 'clear' }, 'all'),
    get('all', { getAll: true, valuePath: 'working' }, 'shown'),
    show('shown', 'working'),
  ],
  get: [
    get('a', { keyName: '{{data.key}}', valuePath: 'working.plain' }, 'b'),
    get(
      'b',
      { keyName: '{{data.key}}', valuePath: 'working.text', defaultValue: 'none of {{data.key}}' },
      'c',
    ),
    get(
      'c',
      { keyName: '{{data.key}}', valuePath: 'working.json', defaultValueType: 'json', defaultValue: '[1]' },
      'd',
    ),
    get(
      'd',
      { keyName: '{{data.key}}', valuePath: 'working.path', defaultValueType: 'path', defaultValue: 'data' },
      'shown',
    ),
    show('shown', 'working'),
  ],
  keep: [store('keep', { keyName: 'kept', valueType: 'path', valuePath: 'data' }, 'kept'), show('kept')],
  number: [store('keep', { keyName: 'n', valueType: 'number', value: '{{data.n}}' }, 'kept'), show('kept')],
  json: [store('keep', { keyName: 'j', valueType: 'json', value: '1{{data.n}}' }, 'kept'), show('kept')],
  kept: [get('kept', { keyName: 'kept', valuePath: 'working.kept' }, 'shown'), show('shown', 'working')],
};

/** Workflows of a bundle, each with a direct trigger of the same name. */
export const LOGIC_FLOWS: BundledFlow[] = Object.entries(WORKFLOWS).map(([name, nodes], i) => ({
  flowId: String(i).padStart(24, '0'),
  name,
  version: 'v1',
  graph: {
    triggers: [{ type: 'direct', key: name, meta: { uiId: `ui-${name}` }, outputIds: [[nodes[0]!.id!]] }],
    nodes,
  },
}));
