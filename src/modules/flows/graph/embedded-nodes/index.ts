import { Ajv, type ValidateFunction } from 'ajv';
import { describeFaults } from '../../../../platform/response/faults.js';
import type { FlowNode } from '../graph.js';
import type { EmbeddedNode } from './embedded-node.js';
import { ANNOTATION } from './annotation.js';
import { ARRAY } from './array.js';
import { CONDITIONAL } from './conditional.js';
import { DEBUG } from './debug.js';
import { DELAY } from './delay.js';
import { DEVICE_CHANGE_STATE } from './device-change-state.js';
import { GENERATE_ID } from './generate-id.js';
import { GET_VALUE } from './get-value.js';
import { JSON_DECODE } from './json-decode.js';
import { JSON_ENCODE } from './json-encode.js';
import { LATCH } from './latch.js';
import { LOOP } from './loop.js';
import { LOOP_CAP } from './loop-cap.js';
import { MATH } from './math.js';
import { MQTT_MESSAGE } from './mqtt-message.js';
import { MUTATE } from './mutate.js';
import { RANDOM_NUMBER } from './random-number.js';
import { REGISTERED_FUNCTION } from './registered-function.js';
import { STORE_VALUE } from './store-value.js';
import { SWITCH } from './switch.js';
import { THROW_ERROR } from './throw-error.js';
import { ConfigFault } from './config-fault.js';

/** The types of nodes that compile for a device, by their names. */
export const EMBEDDED_NODES: ReadonlyMap<string, EmbeddedNode> = new Map(
  [
    ANNOTATION,
    ARRAY,
    CONDITIONAL,
    DEBUG,
    DELAY,
    DEVICE_CHANGE_STATE,
    GENERATE_ID,
    GET_VALUE,
    JSON_DECODE,
    JSON_ENCODE,
    LATCH,
    LOOP,
    LOOP_CAP,
    MATH,
    MQTT_MESSAGE,
    MUTATE,
    RANDOM_NUMBER,
    REGISTERED_FUNCTION,
    STORE_VALUE,
    SWITCH,
    THROW_ERROR,
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
