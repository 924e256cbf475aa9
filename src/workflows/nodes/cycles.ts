import type { FlowNode } from '../graph/graph.js';

const VISITING = 1;
const VISITED = 2;

/**
 * Returns the index of the first node that is part of a cycle, or `undefined`. A workflow with a cycle would not
 * terminate.
 */
export function indexInCycle(nodes: readonly FlowNode[]): number | undefined {
  const indexes = new Map(nodes.flatMap(({ id }, i) => (id ? [[id, i]] : [])));
  const next = nodes.map(({ outputIds = [] }) => outputIds.flat().flatMap((id) => indexes.get(id) ?? []));
  const states = new Uint8Array(nodes.length);
  for (let start = 0; start < nodes.length; start++) {
    const way = states[start] === VISITED ? [] : [start];
    // Next output to follow per node of the path. Iterative, because a path can contain thousands of nodes.
    const taken = [0];
    while (way.length > 0) {
      const at = way.at(-1)!;
      states[at] = VISITING;
      const to = next[at]![taken[taken.length - 1]!++];
      if (to === undefined) {
        states[at] = VISITED;
        way.pop();
        taken.pop();
      } else if (states[to] === VISITING) return at;
      else if (states[to] !== VISITED) {
        way.push(to);
        taken.push(0);
      }
    }
  }
  return undefined;
}
