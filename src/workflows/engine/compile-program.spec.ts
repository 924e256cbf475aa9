import { node, probe, programOf, runFlow } from '../../../test/doubles/run-flow.js';
import { MAX_NESTING } from './limits.js';
import { triggersOf } from './program.js';

const leadsTo = (nodes: Parameters<typeof programOf>[0], id: string) =>
  programOf(nodes)
    .nodes.find((one) => one.id === id)!
    .targets.map((targets) => targets.map((target) => target.id));

describe('a program', () => {
  it('ignores outputs that lead to no node of the same loop', () => {
    const nodes = [
      probe('out', [['loop', 'in', 'missing', 'out'], ['end']]),
      node('loop', 'LoopNode', {}, [
        ['end', 'in'],
        ['in', 'end'],
      ]),
      probe('in', [['in', 'end', 'loop']], 'loop'),
      probe('end'),
    ];
    expect(leadsTo(nodes, 'out')).toEqual([['loop', 'out'], ['end']]);
    expect(leadsTo(nodes, 'loop')).toEqual([['end'], ['in']]);
    expect(leadsTo(nodes, 'in')).toEqual([['in']]);
    expect(programOf(nodes, { first: ['in', 'end'] }).triggers[0]!.targets).toMatchObject([{ id: 'end' }]);
  });

  it('has each node before those that it leads to', () => {
    const { nodes } = programOf([
      probe('c'),
      probe('b', [['c']]),
      probe('a', [['c', 'b']]),
      { type: 'Probe' },
    ]);
    expect(nodes.map(({ id, order }) => [id, order])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ]);
  });

  it('can have paths of any length', () => {
    const ids = Array.from({ length: 50_000 }, (_, i) => `n${i}`);
    const { nodes } = programOf(ids.map((id, i) => probe(id, [ids.slice(i + 1, i + 2)])));
    expect(nodes.at(-1)).toMatchObject({ id: 'n49999', order: 49_999 });
  });

  it('finds triggers by type and key', () => {
    const program = programOf([probe('a')]);
    expect(triggersOf(program, 'virtualButton', 'button')).toEqual(program.triggers);
    expect(triggersOf(program, 'virtualButton', 'other')).toEqual([]);
    expect(triggersOf(program, 'timer', 'button')).toEqual([]);
  });
});

describe('a run', () => {
  const nested = (levels: number) => {
    const id = (i: number) => `loop ${i}`;
    const config = { loopSourcePath: 'data', currentItemPath: 'i' };
    const inside = (i: number) => (i > 0 ? id(i - 1) : undefined);
    return [
      ...Array.from({ length: levels }, (_, i) =>
        node(id(i), 'LoopNode', config, [[], [i + 1 < levels ? id(i + 1) : 'in']], inside(i)),
      ),
      probe('in', [], id(levels - 1)),
    ];
  };
  const steps = { in: () => 0 };

  it('can have 100 loops inside each other, and no more', async () => {
    expect((await runFlow(nested(MAX_NESTING), { data: 1, steps })).errors).toEqual([]);
    const { failure } = await runFlow(nested(MAX_NESTING + 1), { data: 1, steps });
    expect(failure?.errorInfo).toMatchObject({
      error: { name: 'RangeError' },
      nodeId: `loop ${MAX_NESTING}`,
    });
  });
});
