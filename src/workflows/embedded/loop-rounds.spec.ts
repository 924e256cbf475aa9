import type { FlowNode } from '../graph/graph.js';
import { canSharePayload } from './loop-rounds.js';

const node = (id: string, type: string, ...outputIds: string[][]): FlowNode => ({ id, type, outputIds });
const NODES: readonly FlowNode[] = [
  node('cap', 'LoopCapNode'),
  node('throw', 'ThrowErrorNode'),
  node('change', 'MutateNode', ['cap']),
  node('lost', 'MutateNode', []),
  node('unled', 'MutateNode'),
  node('part', 'MutateNode', ['lost', 'cap']),
  node('look', 'DebugNode', ['if']),
  node('if', 'ConditionalNode', [], ['change']),
  node('if changed', 'MutateNode', ['if']),
  node('either', 'ConditionalNode', ['throw'], ['change']),
  node('half', 'ConditionalNode', ['lost'], ['cap']),
  node('no else', 'ConditionalNode', ['cap']),
  { ...node('switch', 'SwitchNode', ['cap'], ['change'], ['either']), config: { cases: [{}, {}] } },
  { ...node('more cases', 'SwitchNode', ['cap'], ['change']), config: { cases: [{}, {}] } },
  node('latch', 'LatchNode', ['cap'], ['cap']),
  node('inner', 'LoopNode', ['cap'], ['lost']),
  node('inner lost', 'LoopNode', [], ['cap']),
  node('changed and parted', 'MutateNode', ['if', 'either']),
];

describe('loop iterations', () => {
  it.each<[boolean, ...string[]]>([
    [true, 'cap'],
    [true, 'change'],
    [false, 'lost'],
    [false, 'unled'],
    [true, 'part'],
    [true, 'look'],
    [true, 'if'],
    [false, 'if changed'],
    [true, 'either'],
    [false, 'half'],
    [true, 'no else'],
    [true, 'switch'],
    [true, 'more cases'],
    [true, 'latch'],
    [true, 'inner'],
    [false, 'inner lost'],
    [true, 'changed and parted'],
    [true, 'lost', 'change'],
    [false, 'lost', 'if'],
    [false, 'if', 'if'],
    [true],
  ])('share the payload (%j) if they start with %j %j', (shares, ...first) => {
    const loop = node('loop', 'LoopNode', [], first.filter(Boolean));
    expect(canSharePayload(loop, NODES)).toBe(shares);
  });

  it('share the payload along all paths up to the maximum length', () => {
    const chain = (length: number): FlowNode[] => [
      ...Array.from({ length }, (_, i) =>
        node(`n${i}`, 'MutateNode', [i + 1 < length ? `n${i + 1}` : 'cap']),
      ),
      ...NODES,
    ];
    const loop = node('loop', 'LoopNode', [], ['n0']);
    expect(canSharePayload(loop, chain(400))).toBe(true);
    expect(canSharePayload(loop, chain(50_000))).toBe(false);
  });
});
