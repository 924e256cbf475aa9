import { Ajv, type ValidateFunction } from 'ajv';
import { describeFaults } from '../../platform/responses/faults.js';
import type { FlowNode } from '../graph/graph.js';
import type { EmbeddedNode } from './embedded-node.js';
import { ANNOTATION } from './annotation/config.js';
import { ARRAY } from './array/config.js';
import { CONDITIONAL } from './conditional/config.js';
import { DEBUG } from './debug/config.js';
import { DELAY } from './delay/config.js';
import { DEVICE_CHANGE_STATE } from './device-change-state/config.js';
import { GENERATE_ID } from './generate-id/config.js';
import { GET_VALUE } from './get-value/config.js';
import { JSON_DECODE } from './json-decode/config.js';
import { JSON_ENCODE } from './json-encode/config.js';
import { LATCH } from './latch/config.js';
import { LOOP } from './loop/config.js';
import { LOOP_CAP } from './loop-cap/config.js';
import { MATH } from './math/config.js';
import { MQTT_MESSAGE } from './mqtt-message/config.js';
import { MUTATE } from './mutate/config.js';
import { RANDOM_NUMBER } from './random-number/config.js';
import { REGISTERED_FUNCTION } from './registered-function/config.js';
import { STORE_VALUE } from './store-value/config.js';
import { SWITCH } from './switch/config.js';
import { THROW_ERROR } from './throw-error/config.js';
import { ConfigFault } from './config-fault.js';

/** Node types that can be compiled for devices, by name. */
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

/** Returns the first error in the configuration of an embedded node, which names the property, or `undefined`. */
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
