import { Ajv, type ValidateFunction } from 'ajv';
import { describeFaults } from '../../lib/json/schema-faults.js';
import { invalidError, type CheckContext } from '../graph/class-rules.js';
import { MAX_CONFIG_DEPTH, type FlowNode } from '../graph/graph.js';
import { ConfigFault, IncompleteConfig } from './config-fault.js';
import { NODE_KINDS } from './index.js';
import { OTHER_TYPES } from './other-types.js';

const ajv = new Ajv();
const validators = new Map<string, ValidateFunction>();

/** Returns the first error of a node in a workflow, without its outputs, or `undefined`. */
export function faultOfNode(node: FlowNode, context: CheckContext): string | undefined {
  const { flowClass, rules } = context;
  const { type, config } = node;
  const kind = NODE_KINDS.get(type);
  const classes = (kind ?? OTHER_TYPES.get(type))?.classes;
  const isValid = classes ? classes.includes(flowClass) : !rules.compilesNodes;
  if (!isValid) return invalidError(type, rules);
  if (!isWithin(config, MAX_CONFIG_DEPTH))
    return `config must not be nested more than ${MAX_CONFIG_DEPTH} levels deep`;
  return kind?.check?.(node, context) ?? (rules.compilesNodes ? faultOfConfig(node) : faultOfSettings(node));
}

/** Returns whether no array or object in `value` is nested deeper than `depth`. */
function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((child) => isWithin(child, depth - 1));
}

/**
 * Returns the first error in the configuration of a node that the engine runs, which names the property, or `undefined`.
 * The configuration of an undeclared type has none.
 */
export function faultOfSettings({ type, config = {} }: FlowNode): string | undefined {
  return faultOf(() => NODE_KINDS.get(type)?.run?.settings?.(config, ''));
}

/**
 * Returns the first error in the configuration of a node for devices, which names the property, or `undefined`. The
 * configuration of an undeclared type has none.
 */
export function faultOfConfig(node: FlowNode): string | undefined {
  const { type, config = {} } = node;
  const declared = NODE_KINDS.get(type)?.config;
  if (!declared) return undefined;
  let validate = validators.get(type);
  if (!validate) validators.set(type, (validate = ajv.compile(declared.schema)));
  if (!validate(config)) return describeFaults('config', validate.errors!);
  return faultOf(() => declared.check(config, node));
}

/** Returns the message of the `ConfigFault` that `read` throws, or `undefined`. Ignores incomplete configurations. */
function faultOf(read: () => unknown): string | undefined {
  try {
    read();
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    if (!(error instanceof IncompleteConfig)) return error.message;
  }
  return undefined;
}
