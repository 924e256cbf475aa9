import fc from 'fast-check';
import { refusal } from '../../../test/doubles/graph-rules.js';
import type { FlowNode } from './graph.js';
import { checkGraph } from './graph.rules.js';

describe('Random graphs', () => {
  /** Nodes, including nested loops, whose outputs lead to nodes of the same loop. */
  const graphs = fc
    .array(
      fc.record({
        isLoop: fc.boolean(),
        group: fc.nat(),
        outputs: fc.array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 2, maxLength: 3 }),
      }),
      { minLength: 2, maxLength: 40 },
    )
    .map((plan) => {
      const loops = plan.flatMap(({ isLoop }, i) => (isLoop ? [`n${i}`] : []));
      const group = ({ isLoop, group: at }: (typeof plan)[number]) =>
        isLoop ? undefined : [undefined, ...loops][at % (loops.length + 1)];
      const idsIn = (wanted: string | undefined) =>
        plan.flatMap((part, i) => (group(part) === wanted ? [`n${i}`] : []));
      const nodes = plan.map((part, i): FlowNode => {
        const id = `n${i}`;
        const outputIds = part.outputs.map((picks, output) => {
          const ids = idsIn(part.isLoop && output > 0 ? id : group(part)).filter((other) => other !== id);
          return ids.length === 0 ? [] : picks.map((pick) => ids[pick % ids.length]!);
        });
        return {
          id,
          type: part.isLoop ? 'LoopNode' : 'FutureNode',
          outputIds,
          meta: { groupId: group(part) },
        };
      });
      return { triggers: [{ type: 'timer', outputIds: [idsIn(undefined).slice(0, 2)] }], nodes };
    });

  it('without an error are accepted', () => {
    fc.assert(fc.property(graphs, (graph) => checkGraph('cloud', graph)));
  });

  it('with one error are rejected for this error, whichever node has it', () => {
    const faults: ((node: FlowNode, other: FlowNode) => [Partial<FlowNode>, string])[] = [
      ({ outputIds }) => [
        { outputIds: [...outputIds!, ['gone']] },
        'Referenced output ID gone does not exist.',
      ],
      ({ id, outputIds }) => [
        { outputIds: [[id!], ...outputIds!.slice(1)] },
        'A node cannot connect to itself.',
      ],
      () => [{ type: 'CustomNodeCapNode' }, 'CustomNodeCapNode is not valid for Cloud workflows.'],
    ];
    fc.assert(
      fc.property(graphs, fc.nat(), fc.constantFrom(...faults), ({ triggers, nodes }, pick, make) => {
        const i = pick % nodes.length;
        const [change, sentence] = make(nodes[i]!, nodes[0]!);
        const graph = { triggers, nodes: nodes.with(i, { ...nodes[i]!, ...change }) };
        expect(refusal('cloud', graph)).toBe(`flow.nodes.${i} (n${i}): ${sentence}`);
      }),
    );
  });

  it('with a duplicate ID are rejected for its second occurrence', () => {
    fc.assert(
      fc.property(graphs, fc.nat(), ({ triggers, nodes }, pick) => {
        const original = nodes[pick % nodes.length]!;
        const graph = {
          triggers,
          nodes: [...nodes, { id: original.id!, type: 'FutureNode', meta: original.meta }],
        };
        expect(refusal('cloud', graph)).toBe(
          `flow.nodes.${nodes.length} (${original.id!}): Node IDs must be unique.`,
        );
      }),
    );
  });
});
