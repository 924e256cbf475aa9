import type { FlowNode } from '../graph/graph.js';

const ON_THE_WAY = 1;
const DONE = 2;

/**
 * Returns the index of the first node that is part of a cycle, or `undefined`. A workflow with a cycle would not
 * terminate.
 */
export function indexInCycle(nodes: readonly FlowNode[]): number | undefined {
  const indexes = new Map(nodes.flatMap(({ id }, i) => (id ? [[id, i]] : [])));
  const next = nodes.map(({ outputIds = [] }) => outputIds.flat().flatMap((id) => indexes.get(id) ?? []));
  const states = new Uint8Array(nodes.length);
  for (let start = 0; start < nodes.length; start++) {
    const way = states[start] === DONE ? [] : [start];
    // Next output to follow per node of the path. Iterative, because a path can contain thousands of nodes.
    const taken = [0];
    while (way.length > 0) {
      const at = way.at(-1)!;
      states[at] = ON_THE_WAY;
      const to = next[at]![taken[taken.length - 1]!++];
      if (to === undefined) {
        states[at] = DONE;
        way.pop();
        taken.pop();
      } else if (states[to] === ON_THE_WAY) return at;
      else if (states[to] !== DONE) {
        way.push(to);
        taken.push(0);
      }
    }
  }
  return undefined;
}
