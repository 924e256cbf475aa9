import { ValidationError } from '../../src/lib/errors/errors.js';
import { checkGraph } from '../../src/workflows/graph/graph.rules.js';
import type { FlowClass, FlowGraph, FlowNode } from '../../src/workflows/graph/graph.js';

/** Returns the message with which a graph is refused. Throws if it is accepted. */
export function refusal(
  flowClass: FlowClass,
  graph: FlowGraph,
  fieldPrefix?: string,
  ownId?: string,
): string {
  try {
    checkGraph(flowClass, graph, { fieldPrefix, ownId });
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationError);
    return (error as Error).message;
  }
  throw new Error('It was not refused');
}

export const node = (id: string, more: Partial<FlowNode> = {}): FlowNode => ({
  id,
  type: 'DebugNode',
  ...more,
});
