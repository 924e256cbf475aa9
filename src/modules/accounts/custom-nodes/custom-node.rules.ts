import type { Changes } from '../../../platform/database/changes.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { savedGraph } from '../../flows/flows/flow.rules.js';
import type { FlowGraph, FlowTrigger } from '../../../workflows/graph/graph.js';
import type { InstanceCustomNode, InstanceCustomNodePatch } from './instance-custom-node.resource.js';

const AT = 'instanceCustomNode';
const GRAPH = ['triggers', 'nodes', 'customNodeConfig', 'minimumAgentVersion'] as const;

/** Whether a body changes what the node does. */
export function changesGraph(body: InstanceCustomNodePatch): boolean {
  return GRAPH.some((member) => body[member] !== undefined);
}

/** The members of a body as columns; an empty category is none. */
export function columnsOf({ category, ...rest }: InstanceCustomNodePatch): Changes<InstanceCustomNode> {
  return { ...rest, ...(category === undefined ? {} : { category: category || null }) };
}

/**
 * What a body says of what the node does, as it is saved, or 400: it is checked as a whole, together with what is
 * `stored`. `ownId` is its id, where it has one.
 */
export function graphColumnsOf(body: InstanceCustomNodePatch, ownId?: string, stored?: FlowGraph): FlowGraph {
  const { changes, whole } = savedGraph('customNode', body, { at: AT, ownId, stored });
  checkTriggers(whole.triggers);
  const { namedIds: _ofWorkflows, ...graph } = changes;
  return graph;
}

/** The buttons with which a workflow's custom node is tried out have nobody here to press them. */
function checkTriggers(triggers: readonly FlowTrigger[] = []): void {
  if (triggers.length !== 1)
    throw new ValidationError(`${AT}.triggers must have one trigger only, customNodeStart`);
}
