import type { Changes } from '../../../platform/database/changes.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { savedGraph } from '../../flows/flows/flow.rules.js';
import type { FlowGraph, FlowTrigger } from '../../../workflows/graph/graph.js';
import type { InstanceCustomNode, InstanceCustomNodePatch } from './instance-custom-node.resource.js';

const FIELD = 'instanceCustomNode';
const GRAPH = ['triggers', 'nodes', 'customNodeConfig', 'minimumAgentVersion'] as const;

/** Returns whether a body changes the graph of the node. */
export function changesGraph(body: InstanceCustomNodePatch): boolean {
  return GRAPH.some((member) => body[member] !== undefined);
}

/** Converts a body to columns. An empty category becomes `null`. */
export function columnsOf({ category, ...rest }: InstanceCustomNodePatch): Changes<InstanceCustomNode> {
  return { ...rest, ...(category === undefined ? {} : { category: category || null }) };
}

/**
 * Returns the graph columns of a body. Validates the body and the `stored` graph as a whole, and throws `400` if the
 * graph is invalid. `ownId` is the ID of an existing node.
 */
export function graphColumnsOf(body: InstanceCustomNodePatch, ownId?: string, stored?: FlowGraph): FlowGraph {
  const { changes, whole } = savedGraph('customNode', body, { fieldPrefix: FIELD, ownId, stored });
  checkTriggers(whole.triggers);
  const { namedIds: _ofWorkflows, ...graph } = changes;
  return graph;
}

/**
 * Rejects other triggers, such as the virtual buttons that test custom nodes of workflows: an instance provides no way
 * to press them.
 */
function checkTriggers(triggers: readonly FlowTrigger[] = []): void {
  if (triggers.length !== 1)
    throw new ValidationError(`${FIELD}.triggers must contain exactly one trigger, customNodeStart`);
}
