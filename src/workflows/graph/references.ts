import { isObject } from '../../lib/json/json.js';
import {
  MAX_CONFIG_DEPTH,
  isId,
  type FlowGraph,
  type FlowNode,
  type FlowTrigger,
  type Json,
} from './graph.js';
import type { KeyedResource } from '../triggers/trigger-type.js';
import { triggerType } from '../triggers/trigger-types.js';

type Named = KeyedResource | 'customNodes' | 'deviceRecipes' | 'flows';

/** Custom node that a workflow executes. Without a version, the default version is executed. */
export interface CustomNodeReference {
  readonly id: string;
  readonly version?: string;
}

/** Distinct IDs, in lower case, that a graph refers to in known places. */
export interface References extends Readonly<Record<Exclude<Named, 'customNodes'>, readonly string[]>> {
  readonly customNodes: readonly CustomNodeReference[];
}

/** Type of the resource, by the property of a node's configuration that contains its ID or a list of IDs. */
const RESOURCE_AT: Readonly<Record<string, Named>> = {
  customNodeId: 'customNodes',
  dataTableId: 'dataTables',
  dataTableIdTemplate: 'dataTables',
  deviceId: 'devices',
  deviceIdTemplate: 'devices',
  deviceIds: 'devices',
  flowId: 'flows',
  flowIdTemplate: 'flows',
  gatewayIdTemplate: 'devices',
  integrationId: 'integrations',
  notebookId: 'notebooks',
  notebookIdTemplate: 'notebooks',
  parentIdTemplate: 'devices',
  recipeIdTemplate: 'deviceRecipes',
  resourceJobId: 'resourceJobs',
  resourceJobIdTemplate: 'resourceJobs',
  triggerWorkflowId: 'flows',
  webhookId: 'webhooks',
};
/** Endpoint ID that matches every endpoint. */
const ANY = '0'.repeat(24);

/** Returns the references in trigger keys, in virtual buttons and in the configurations of nodes. */
export function referencesOf({ triggers = [], nodes = [] }: FlowGraph): References {
  const found = {
    dataTables: new Set<string>(),
    deviceRecipes: new Set<string>(),
    devices: new Set<string>(),
    endpoints: new Set<string>(),
    flows: new Set<string>(),
    integrations: new Set<string>(),
    notebooks: new Set<string>(),
    resourceJobs: new Set<string>(),
    webhooks: new Set<string>(),
  };
  const customNodes = new Map<string, CustomNodeReference>();
  for (const { type, key, meta } of triggers) {
    const resource = keyedResource(type);
    if (resource && isId(key) && key !== ANY) found[resource].add(key.toLowerCase());
    if (isId(meta?.deviceId)) found.devices.add(meta.deviceId.toLowerCase());
  }
  for (const node of nodes) {
    const version = node.config?.customNodeVersion;
    changeReferences(node, (id, resource) => {
      const known = id.toLowerCase();
      if (resource !== 'customNodes') found[resource].add(known);
      else if (typeof version === 'string' && version !== '')
        customNodes.set(`${known} ${version}`, { id: known, version });
      else customNodes.set(known, { id: known });
      return id;
    });
  }
  const ids = Object.fromEntries(Object.entries(found).map(([resource, set]) => [resource, [...set]]));
  return { ...(ids as unknown as Omit<References, 'customNodes'>), customNodes: [...customNodes.values()] };
}

/** Returns the type of the resource whose ID is the key of a trigger. */
export function keyedResource(type: string): KeyedResource | undefined {
  const rule = triggerType(type)?.key;
  return rule && 'id' in rule ? rule.id : undefined;
}

/** Returns a copy of the node with the IDs in known places of its configuration replaced. */
export function changeReferences(node: FlowNode, change: (id: string, resource: Named) => string): FlowNode {
  const walk = (value: unknown, resource: Named | undefined, depth: number): unknown => {
    if (resource && isId(value)) return change(value, resource);
    if (depth === 0) return value;
    if (Array.isArray(value)) return value.map((entry) => walk(entry, resource, depth - 1));
    return isObject(value)
      ? mapMembers(value, (child, name) => walk(child, resourceAt(name, node), depth - 1))
      : value;
  };
  return node.config ? { ...node, config: walk(node.config, undefined, MAX_CONFIG_DEPTH) as Json } : node;
}

function resourceAt(member: string, { type, config }: FlowNode): Named | undefined {
  if (Object.hasOwn(RESOURCE_AT, member)) return RESOURCE_AT[member];
  const isDevice =
    type === 'UpdateDeviceNode' || (type === 'GetDeviceNode' && (config?.findMethod ?? 'id') === 'id');
  return member === 'idTemplate' && isDevice ? 'devices' : undefined;
}

/**
 * Returns a copy of the graph with IDs replaced. Replaces an ID that is a whole text, or a whole segment between
 * slashes, in trigger keys and in the configuration and `meta` of nodes; and the device of a virtual button. Everything
 * else is unchanged.
 */
export function rewire<T extends FlowGraph>(graph: T, ids: ReadonlyMap<string, string>): T {
  const { triggers, nodes } = graph;
  return {
    ...graph,
    ...(triggers ? { triggers: triggers.map((trigger) => rewireTrigger(trigger, ids)) } : {}),
    ...(nodes ? { nodes: nodes.map((node) => rewireNode(node, ids)) } : {}),
  };
}

function rewireTrigger(trigger: FlowTrigger, ids: ReadonlyMap<string, string>): FlowTrigger {
  const { key, meta } = trigger;
  const deviceId = meta?.deviceId;
  return {
    ...trigger,
    ...(key === undefined ? {} : { key: rewireText(key, ids) }),
    ...(isId(deviceId) ? { meta: { ...meta, deviceId: rewireText(deviceId, ids) } } : {}),
  };
}

function rewireNode(node: FlowNode, ids: ReadonlyMap<string, string>): FlowNode {
  const walk = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return rewireText(value, ids);
    if (depth === 0) return value;
    if (Array.isArray(value)) return value.map((entry) => walk(entry, depth - 1));
    return isObject(value) ? mapMembers(value, (child) => walk(child, depth - 1)) : value;
  };
  const { config, meta } = node;
  return {
    ...node,
    ...(config ? { config: walk(config, MAX_CONFIG_DEPTH) as Json } : {}),
    ...(meta ? { meta: walk(meta, MAX_CONFIG_DEPTH) as Json } : {}),
  };
}

function rewireText(text: string, ids: ReadonlyMap<string, string>): string {
  const of = (part: string) => ids.get(part) ?? ids.get(part.toLowerCase()) ?? part;
  return text.includes('/') ? text.split('/').map(of).join('/') : of(text);
}

function mapMembers(value: Json, change: (child: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, change(child, name)]));
}
