import type { NodeKind } from '../embedded/emitter.js';
import { annotationNode } from './annotation/emit.js';
import { arrayNode } from './array/emit.js';
import { conditionalNode } from './conditional/emit.js';
import { debugNode } from './debug/emit.js';
import { delayNode } from './delay/emit.js';
import { deviceChangeStateNode } from './device-change-state/emit.js';
import { generateIdNode } from './generate-id/emit.js';
import { getValueNode } from './get-value/emit.js';
import { jsonDecodeNode } from './json-decode/emit.js';
import { jsonEncodeNode } from './json-encode/emit.js';
import { latchNode } from './latch/emit.js';
import { loopNode } from './loop/emit.js';
import { loopCapNode } from './loop-cap/emit.js';
import { mathNode } from './math/emit.js';
import { mqttMessageNode } from './mqtt-message/emit.js';
import { mutateNode } from './mutate/emit.js';
import { randomNumberNode } from './random-number/emit.js';
import { registeredFunctionNode } from './registered-function/emit.js';
import { storeValueNode } from './store-value/emit.js';
import { switchNode } from './switch/emit.js';
import { throwErrorNode } from './throw-error/emit.js';

/** All types of nodes that can be compiled, one per line. */
const KINDS: readonly NodeKind[] = [
  annotationNode,
  arrayNode,
  conditionalNode,
  debugNode,
  delayNode,
  deviceChangeStateNode,
  generateIdNode,
  getValueNode,
  jsonDecodeNode,
  jsonEncodeNode,
  latchNode,
  loopCapNode,
  loopNode,
  mathNode,
  mqttMessageNode,
  mutateNode,
  randomNumberNode,
  registeredFunctionNode,
  storeValueNode,
  switchNode,
  throwErrorNode,
];

export const NODE_KINDS: ReadonlyMap<string, NodeKind> = new Map(KINDS.map((kind) => [kind.type, kind]));
