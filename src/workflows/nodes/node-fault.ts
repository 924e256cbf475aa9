import { Ajv, type ValidateFunction } from 'ajv';
import { describeFaults } from '../../platform/responses/faults.js';
import type { FlowNode } from '../graph/graph.js';
import { ConfigFault } from './config-fault.js';
import { NODE_KINDS } from './index.js';

const ajv = new Ajv();
const validators = new Map<string, ValidateFunction>();

/**
 * Returns the first error in the configuration of a node, which names the property, or `undefined`. The configuration
 * of an undeclared type has none.
 */
export function faultOfConfig(node: FlowNode): string | undefined {
  const { type, config = {} } = node;
  const declared = NODE_KINDS.get(type)?.config;
  if (!declared) return undefined;
  let validate = validators.get(type);
  if (!validate) validators.set(type, (validate = ajv.compile(declared.schema)));
  if (!validate(config)) return describeFaults('config', validate.errors!);
  try {
    declared.check(config, node);
  } catch (error) {
    if (error instanceof ConfigFault) return error.message;
    throw error;
  }
  return undefined;
}
