import { Ajv, type ValidateFunction } from 'ajv';
import addFormatsModule from 'ajv-formats';
import { ValidationError } from '../../lib/errors/errors.js';
import { describeFault } from '../../platform/responses/faults.js';
import { checkGlobals } from './globals.js';
import {
  DEEPEST_CONFIG,
  groupOf,
  isId,
  type CustomNodeConfig,
  type FlowClass,
  type FlowGraph,
  type FlowNode,
  type FlowTrigger,
} from './graph.js';
import { indexInCycle } from '../nodes/cycles.js';
import { NODE_KINDS } from '../nodes/index.js';
import { faultOfConfig } from '../nodes/node-fault.js';
import { DEEPEST_JSON, isTooDeep } from '../language/json-depth.js';
import { configSchema, metaSchema, TRIGGER_TYPES, type TriggerType } from '../triggers/trigger-types.js';

const CLASS_NAMES: Readonly<Record<FlowClass, string>> = {
  cloud: 'Cloud',
  customNode: 'Custom Node',
  edge: 'Edge',
  embedded: 'Embedded',
  experience: 'Experience',
};

const START = 'customNodeStart';
const CAP = 'CustomNodeCapNode';
/** Number of outputs of a custom node that can contain an end node of each kind. */
const OUTPUTS_OF_CAP: ReadonlyMap<unknown, number> = new Map([
  ['custom-node-end-single', 1],
  ['custom-node-end-false', 2],
  ['custom-node-end-true', 2],
]);
const LONGEST_NAME = 64;

/** Context of the validation. */
export interface GraphContext {
  /** Name of the workflow in error messages. Defaults to `flow`. */
  at?: string;
  /** ID of an existing workflow, to detect custom nodes that execute themselves. */
  ownId?: string;
  /** First level of the platform's topics. Omitted for custom nodes, which use no topics. */
  topicPrefix?: string;
}

/**
 * Throws `400` for the first error, in document order, that prevents a workflow of the class from running. The message
 * contains the field and the trigger or node. Assumes that the graph conforms to its JSON schema.
 */
export function checkGraph(
  flowClass: FlowClass,
  graph: FlowGraph,
  { at = 'flow', ownId, topicPrefix }: GraphContext = {},
): void {
  if (flowClass === 'edge' && !graph.minimumAgentVersion)
    throw new ValidationError(`${at}.minimumAgentVersion is required for Edge workflows`);
  const { triggers = [], nodes = [], globals = [], customNodeConfig } = graph;
  const byId = new Map(nodes.flatMap((node) => (node.id ? [[node.id, node]] : [])));
  triggers.forEach((trigger, i) => {
    const say = faultAt(at, 'triggers', i, trigger);
    checkTrigger(flowClass, trigger, say);
    if (trigger.type === 'mqttTopic' && isReserved(trigger.key, topicPrefix))
      throw say(`the key of mqttTopic must not begin with ${topicPrefix}/`);
    checkOutputs(trigger, undefined, byId, say);
  });
  const seen = new Set<string>();
  nodes.forEach((node, i) => {
    const say = faultAt(at, 'nodes', i, node);
    if (node.id && seen.has(node.id)) throw say('Node IDs must be unique.');
    if (node.id) seen.add(node.id);
    checkNode(flowClass, node, ownId, say);
    if (flowClass === 'embedded' && isReserved(node.config?.topicTemplate, topicPrefix))
      throw say(`config.topicTemplate must not begin with ${topicPrefix}/`);
    checkOutputs(node, node.id, byId, say);
  });
  const cycle = flowClass === 'embedded' ? indexInCycle(nodes) : undefined;
  if (cycle !== undefined)
    throw faultAt(at, 'nodes', cycle, nodes[cycle]!)('Outputs of Embedded workflows cannot form a cycle.');
  checkGlobals(globals, `${at}.globals`);
  const deep = flowClass === 'embedded' ? globals.findIndex(({ json }) => isTooDeep(JSON.parse(json))) : -1;
  if (deep >= 0)
    throw new ValidationError(`${at}.globals.${deep}.json must not nest deeper than ${DEEPEST_JSON}`);
  if (flowClass === 'customNode') checkCustomNode(triggers, nodes, at);
  if (customNodeConfig) checkCustomNodeConfig(customNodeConfig, flowClass, nodes, at);
}

/** Workflows cannot use topics of the platform. */
function isReserved(topic: unknown, prefix: string | undefined): boolean {
  return prefix !== undefined && typeof topic === 'string' && topic.startsWith(`${prefix}/`);
}

type Fault = (sentence: string) => ValidationError;

/**
 * Returns a function that creates the error for the trigger or node at `i`, named by its ID, else its label, else its
 * type.
 */
function faultAt(at: string, list: 'triggers' | 'nodes', i: number, part: FlowTrigger | FlowNode): Fault {
  const { id, type, meta } = part as FlowNode;
  const { label } = meta ?? {};
  const name = id || (typeof label === 'string' && label) || type;
  return (sentence) =>
    new ValidationError(`${at}.${list}.${i} (${name.slice(0, LONGEST_NAME)}): ${sentence}`);
}

function notValid(type: string, flowClass: FlowClass): string {
  return `${type} is not valid for ${CLASS_NAMES[flowClass]} workflows.`;
}

function checkTrigger(flowClass: FlowClass, trigger: FlowTrigger, say: Fault): void {
  const { type, meta } = trigger;
  const known = Object.hasOwn(TRIGGER_TYPES, type) ? TRIGGER_TYPES[type]! : undefined;
  if (!known) throw say(`${type} is not a type of trigger.`);
  if (!known.classes.includes(flowClass)) throw say(notValid(type, flowClass));
  checkKey(trigger, known, say);
  const validate = validatorsOf(type, known);
  for (const part of ['config', 'meta'] as const) {
    const value = trigger[part];
    if (value !== undefined && !validate[part](value))
      throw say(describeFault(part, validate[part].errors![0]!));
  }
  if (flowClass === 'embedded' && type === 'timer') checkDeviceTimer(trigger, say);
  if (type === 'virtualButton' && meta?.payload && !isJsonObject(meta.payload as string))
    throw say('meta.payload must be a JSON object as text');
}

/** Devices have no calendar, so only intervals are supported. */
function checkDeviceTimer({ config }: FlowTrigger, say: Fault): void {
  if (config?.cron) throw say('config.cron is not valid for Embedded workflows.');
  if (config?.seconds === undefined) throw say('config.seconds is required for Embedded workflows.');
}

function checkKey({ type, key }: FlowTrigger, { key: rule }: TriggerType, say: Fault): void {
  if ('id' in rule && !isId(key)) throw say(`the key of ${type} must be an ID of 24 hexadecimal digits`);
  if ('pattern' in rule && !rule.pattern.test(key ?? ''))
    throw say(`the key of ${type} must be ${rule.form}`);
}

interface Validators {
  config: ValidateFunction;
  meta: ValidateFunction;
}

const ajv = new Ajv();
(addFormatsModule as unknown as (ajv: Ajv) => void)(ajv);
const validators = new Map<string, Validators>();

/** Returns the validators of a type, compiled on first use. */
function validatorsOf(name: string, type: TriggerType): Validators {
  let found = validators.get(name);
  if (!found) {
    found = { config: ajv.compile(configSchema(type)), meta: ajv.compile(metaSchema(type)) };
    validators.set(name, found);
  }
  return found;
}

function checkNode(flowClass: FlowClass, node: FlowNode, ownId: string | undefined, say: Fault): void {
  const { type, config } = node;
  const valid = flowClass === 'embedded' ? NODE_KINDS.has(type) : type !== CAP || flowClass === 'customNode';
  if (!valid) throw say(notValid(type, flowClass));
  if (!isWithin(config, DEEPEST_CONFIG)) throw say(`config must not nest deeper than ${DEEPEST_CONFIG}`);
  if (flowClass === 'embedded' && type === 'LoopNode' && config?.parallel === true)
    throw say('A parallel loop is not valid for Embedded workflows.');
  if (flowClass === 'embedded' && type === 'LoopCapNode' && !groupOf(node))
    throw say('LoopCapNode must be inside a loop.');
  const fault = flowClass === 'embedded' && faultOfConfig(node);
  if (fault) throw say(fault);
  if (type === CAP && groupOf(node)) throw say(`${type} must not be inside a loop.`);
  const executed = type === 'CustomNodeExecuteNode' ? config?.customNodeId : undefined;
  if (ownId && isId(executed) && executed.toLowerCase() === ownId)
    throw say('A custom node cannot execute itself.');
}

/** Checks that outputs lead to nodes of the same loop. Outputs of a loop node, except the first, lead into the loop. */
function checkOutputs(
  { type, meta, outputIds }: FlowTrigger | FlowNode,
  ownId: string | undefined,
  byId: ReadonlyMap<string, FlowNode>,
  say: Fault,
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

function checkCustomNode(triggers: readonly FlowTrigger[], nodes: readonly FlowNode[], at: string): void {
  const [first, second] = triggers.flatMap(({ type }, i) => (type === START ? [i] : []));
  if (first === undefined) throw new ValidationError(`${at}.triggers must have a ${START}`);
  if (second !== undefined)
    throw faultAt(at, 'triggers', second, triggers[second]!)(`There must be exactly one ${START}.`);
  if (!nodes.some(({ type }) => type === CAP))
    throw new ValidationError(`${at}.nodes must have at least one ${CAP}`);
}

function checkCustomNodeConfig(
  { outputCount, fields }: CustomNodeConfig,
  flowClass: FlowClass,
  nodes: readonly FlowNode[],
  at: string,
): void {
  const ids = new Set<string>();
  fields.forEach(({ id }, i) => {
    if (!id) return;
    if (ids.has(id))
      throw new ValidationError(`${at}.customNodeConfig.fields.${i}.id ${JSON.stringify(id)} is given twice`);
    ids.add(id);
  });
  if (flowClass !== 'customNode') return;
  nodes.forEach((node, i) => {
    const name = node.meta?.name;
    const outputs = node.type === CAP ? OUTPUTS_OF_CAP.get(name) : undefined;
    if (outputs === undefined || outputs === outputCount) return;
    const words = `meta.name ${String(name)} is for ${outputs} outputs, customNodeConfig.outputCount is ${outputCount}`;
    throw faultAt(at, 'nodes', i, node)(words.replace(' 1 outputs', ' 1 output'));
  });
}

/** Returns whether no array or object in `value` is nested deeper than `depth`. */
function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((child) => isWithin(child, depth - 1));
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
