import { ValidationError } from '../../lib/errors/errors.js';
import { faultOfAgentVersion } from './agent-versions.js';
import { CLASS_RULES, type CheckContext, type ClassRules } from './class-rules.js';
import { checkGlobals } from './globals.js';
import {
  groupOf,
  type CustomNodeConfig,
  type FlowClass,
  type FlowGlobal,
  type FlowGraph,
  type FlowNode,
  type FlowTrigger,
} from './graph.js';
import { customNodeCapNode } from '../nodes/custom-node-cap/index.js';
import { indexInCycle } from '../nodes/cycles.js';
import { faultOfNode } from '../nodes/node-fault.js';
import { isTooDeep } from '../language/json-depth.js';
import { faultOfTrigger } from '../triggers/trigger-fault.js';

const CAP = customNodeCapNode.type;
/** Number of outputs of a custom node that can contain an end node of each kind. */
const MIN_OUTPUTS_BY_END_NODE: ReadonlyMap<unknown, number> = new Map([
  ['custom-node-end-single', 1],
  ['custom-node-end-false', 2],
  ['custom-node-end-true', 2],
]);
const MAX_NAME_LENGTH = 64;

/** Context of the validation. */
export interface GraphContext extends Pick<CheckContext, 'ownId' | 'topicPrefix'> {
  /** Name of the workflow in error messages. Defaults to `flow`. */
  fieldPrefix?: string;
}

/**
 * Throws `400` for the first error, in document order, that prevents a workflow of the class from running. The message
 * contains the field and the trigger or node. Assumes that the graph conforms to its JSON schema.
 */
export function checkGraph(
  flowClass: FlowClass,
  graph: FlowGraph,
  { fieldPrefix = 'flow', ...context }: GraphContext = {},
): void {
  const rules = CLASS_RULES[flowClass];
  if (rules.requiresAgentVersion && !graph.minimumAgentVersion)
    throw new ValidationError(`${fieldPrefix}.minimumAgentVersion is required for ${rules.name} workflows`);
  const { triggers = [], nodes = [], globals = [], customNodeConfig } = graph;
  const place: CheckContext = { ...context, flowClass, rules };
  const faultOfAgent = ({ type }: FlowTrigger | FlowNode): string | undefined =>
    rules.requiresAgentVersion ? faultOfAgentVersion(type, graph.minimumAgentVersion!) : undefined;
  const byId = new Map(nodes.flatMap((node) => (node.id ? [[node.id, node]] : [])));
  triggers.forEach((trigger, i) => {
    const say = errorAt(fieldPrefix, 'triggers', i, trigger);
    const fault = faultOfTrigger(trigger, place) ?? faultOfAgent(trigger);
    if (fault) throw say(fault);
    checkOutputs(trigger, undefined, byId, say);
  });
  const seen = new Set<string>();
  nodes.forEach((node, i) => {
    const say = errorAt(fieldPrefix, 'nodes', i, node);
    if (node.id && seen.has(node.id)) throw say('Node IDs must be unique.');
    if (node.id) seen.add(node.id);
    const fault = faultOfNode(node, place) ?? faultOfAgent(node);
    if (fault) throw say(fault);
    checkOutputs(node, node.id, byId, say);
  });
  if (!rules.allowsCycles) checkCycles(nodes, rules, fieldPrefix);
  checkGlobals(globals, `${fieldPrefix}.globals`);
  if (rules.deepestGlobal !== undefined) checkDepth(globals, rules.deepestGlobal, `${fieldPrefix}.globals`);
  if (rules.interface) checkInterface(rules.interface, triggers, nodes, fieldPrefix);
  if (customNodeConfig) checkCustomNodeConfig(customNodeConfig, nodes, fieldPrefix);
}

type ErrorFactory = (sentence: string) => ValidationError;

/**
 * Returns a function that creates the error for the trigger or node at `i`, named by its ID, else its label, else its
 * type.
 */
function errorAt(
  at: string,
  list: 'triggers' | 'nodes',
  i: number,
  part: FlowTrigger | FlowNode,
): ErrorFactory {
  const { id, type, meta } = part as FlowNode;
  const { label } = meta ?? {};
  const name = id || (typeof label === 'string' && label) || type;
  return (sentence) =>
    new ValidationError(`${at}.${list}.${i} (${name.slice(0, MAX_NAME_LENGTH)}): ${sentence}`);
}

/** Checks that outputs lead to nodes of the same loop. Outputs of a loop node, except the first, lead into the loop. */
function checkOutputs(
  { type, meta, outputIds }: FlowTrigger | FlowNode,
  ownId: string | undefined,
  byId: ReadonlyMap<string, FlowNode>,
  say: ErrorFactory,
): void {
  const ownGroup = groupOf({ type, meta });
  outputIds?.forEach((ids, output) => {
    // No node can be inside a loop without an ID, because nodes refer to their loop by ID.
    const group: string | null | undefined = type === 'LoopNode' && output > 0 ? ownId || null : ownGroup;
    for (const id of ids) {
      const to = byId.get(id);
      if (!to) throw say(`Referenced output ID ${id} does not exist.`);
      if (id === ownId) throw say('A node cannot connect to itself.');
      if (groupOf(to) !== group)
        throw say(`Referenced output ID ${id} does not exist in the required group.`);
    }
  });
}

function checkCycles(nodes: readonly FlowNode[], { name }: ClassRules, at: string): void {
  const i = indexInCycle(nodes);
  if (i !== undefined)
    throw errorAt(at, 'nodes', i, nodes[i]!)(`Outputs of ${name} workflows cannot form a cycle.`);
}

function checkDepth(globals: readonly FlowGlobal[], deepest: number, at: string): void {
  const i = globals.findIndex(({ json }) => isTooDeep(JSON.parse(json), deepest));
  if (i >= 0)
    throw new ValidationError(`${at}.${i}.json must not be nested more than ${deepest} levels deep`);
}

function checkInterface(
  { trigger, node }: NonNullable<ClassRules['interface']>,
  triggers: readonly FlowTrigger[],
  nodes: readonly FlowNode[],
  at: string,
): void {
  const [first, second] = triggers.flatMap(({ type }, i) => (type === trigger ? [i] : []));
  if (first === undefined) throw new ValidationError(`${at}.triggers must have a ${trigger}`);
  if (second !== undefined)
    throw errorAt(at, 'triggers', second, triggers[second]!)(`There must be exactly one ${trigger}.`);
  if (!nodes.some(({ type }) => type === node))
    throw new ValidationError(`${at}.nodes must have at least one ${node}`);
}

function checkCustomNodeConfig(
  { outputCount, fields }: CustomNodeConfig,
  nodes: readonly FlowNode[],
  at: string,
): void {
  const ids = new Set<string>();
  fields.forEach(({ id }, i) => {
    if (!id) return;
    if (ids.has(id))
      throw new ValidationError(`${at}.customNodeConfig.fields.${i}.id ${JSON.stringify(id)} is a duplicate`);
    ids.add(id);
  });
  nodes.forEach((node, i) => {
    const name = node.meta?.name;
    const outputs = node.type === CAP ? MIN_OUTPUTS_BY_END_NODE.get(name) : undefined;
    if (outputs === undefined || outputs === outputCount) return;
    const words = `meta.name ${String(name)} requires ${outputs} outputs, but customNodeConfig.outputCount is ${outputCount}`;
    throw errorAt(at, 'nodes', i, node)(words.replace(' 1 outputs', ' 1 output'));
  });
}
