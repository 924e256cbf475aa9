import type { NodeKind } from '../emitter.js';
import { annotationNode } from './annotation.js';
import { arrayNode } from './array.js';
import { conditionalNode } from './conditional.js';
import { debugNode } from './debug.js';
import { delayNode } from './delay.js';
import { deviceChangeStateNode } from './device-change-state.js';
import { generateIdNode } from './generate-id.js';
import { getValueNode } from './get-value.js';
import { jsonDecodeNode } from './json-decode.js';
import { jsonEncodeNode } from './json-encode.js';
import { latchNode } from './latch.js';
import { loopNode } from './loop.js';
import { loopCapNode } from './loop-cap.js';
import { mathNode } from './math.js';
import { mqttMessageNode } from './mqtt-message.js';
import { mutateNode } from './mutate.js';
import { randomNumberNode } from './random-number.js';
import { registeredFunctionNode } from './registered-function.js';
import { storeValueNode } from './store-value.js';
import { switchNode } from './switch.js';
import { throwErrorNode } from './throw-error.js';

/** Every type of node that compiles, one line each. */
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
