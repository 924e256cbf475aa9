import { Ajv, type ValidateFunction } from 'ajv';
import { describeFaults } from '../../../../platform/response/faults.js';
import type { FlowNode } from '../graph.js';
import { embeddedNode, type EmbeddedNode } from './embedded-node.js';
import { ANNOTATION } from './annotation.js';
import { CONDITIONAL } from './conditional.js';
import { ConfigFault } from './config-fault.js';
import { DEBUG } from './debug.js';
import { DELAY } from './delay.js';
import { GET_VALUE } from './get-value.js';
import { LATCH } from './latch.js';
import { LOOP_CAP } from './loop-cap.js';
import { LOOP } from './loop.js';
import { STORE_VALUE } from './store-value.js';
import { SWITCH } from './switch.js';
import { THROW_ERROR } from './throw-error.js';

/** The types of nodes that compile for a device, by their names. */
export const EMBEDDED_NODES: ReadonlyMap<string, EmbeddedNode> = new Map(
  [
    ANNOTATION,
    CONDITIONAL,
    DEBUG,
    DELAY,
    GET_VALUE,
    LATCH,
    LOOP,
    LOOP_CAP,
    STORE_VALUE,
    SWITCH,
    THROW_ERROR,
    ...[
      'ArrayNode',
      'DeviceChangeStateNode',
      'GenerateIdNode',
      'JsonDecodeNode',
      'JsonEncodeNode',
      'MathNode',
      'MqttMessageNode',
      'MutateNode',
      'RandomNumberNode',
      'RegisteredFunctionNode',
    ].map((type) => embeddedNode(type, {})),
  ].map((node) => [node.type, node]),
);

const ajv = new Ajv();
const validators = new Map<string, ValidateFunction>();

/** The first fault of the configuration of a node of one of these types, in words that name the member; else nothing. */
export function faultOfConfig(node: FlowNode): string | undefined {
  const { type, config = {} } = node;
  const declared = EMBEDDED_NODES.get(type)!;
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
