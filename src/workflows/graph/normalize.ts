import { isId, type FlowGraph, type FlowNode, type FlowTrigger } from './graph.js';
import { changeReferences } from './references.js';
import { triggerType } from '../triggers/trigger-types.js';

/**
 * Normalizes a graph before it is saved: generates keys for triggers that are identified by key, sets constant keys,
 * and converts IDs in known places to lower case. Everything else, such as node IDs, is unchanged.
 */
export function normalizeGraph<T extends FlowGraph>(graph: T): T {
  const { triggers, nodes } = graph;
  return {
    ...graph,
    ...(triggers ? { triggers: triggers.map(normalizeTrigger) } : {}),
    ...(nodes ? { nodes: nodes.map(normalizeNode) } : {}),
  };
}

function normalizeTrigger(trigger: FlowTrigger): FlowTrigger {
  const key = keyOf(trigger);
  const deviceId = trigger.meta?.deviceId;
  return {
    ...trigger,
    ...(key === undefined ? {} : { key }),
    ...(isId(deviceId) ? { meta: { ...trigger.meta, deviceId: deviceId.toLowerCase() } } : {}),
  };
}

function keyOf({ type, key }: FlowTrigger): string | undefined {
  const rule = triggerType(type)?.key;
  if (!rule) return key;
  if ('fixed' in rule) return rule.fixed;
  if ('fill' in rule) return key || rule.fill();
  return 'id' in rule && isId(key) ? key.toLowerCase() : key;
}

function normalizeNode(node: FlowNode): FlowNode {
  return changeReferences(node, (id) => id.toLowerCase());
}
