import type { NodeKind } from './node-kind.js';
import { annotationNode } from './annotation/index.js';
import { arrayNode } from './array/index.js';
import { conditionalNode } from './conditional/index.js';
import { customNodeCapNode } from './custom-node-cap/index.js';
import { customNodeExecuteNode } from './custom-node-execute/index.js';
import { debugNode } from './debug/index.js';
import { delayNode } from './delay/index.js';
import { deviceChangeStateNode } from './device-change-state/index.js';
import { generateIdNode } from './generate-id/index.js';
import { getValueNode } from './get-value/index.js';
import { jsonDecodeNode } from './json-decode/index.js';
import { jsonEncodeNode } from './json-encode/index.js';
import { latchNode } from './latch/index.js';
import { loopNode } from './loop/index.js';
import { loopCapNode } from './loop-cap/index.js';
import { mathNode } from './math/index.js';
import { mqttMessageNode } from './mqtt-message/index.js';
import { mutateNode } from './mutate/index.js';
import { randomNumberNode } from './random-number/index.js';
import { registeredFunctionNode } from './registered-function/index.js';
import { storeValueNode } from './store-value/index.js';
import { switchNode } from './switch/index.js';
import { throwErrorNode } from './throw-error/index.js';

/** All declared node types. */
const KINDS: readonly NodeKind[] = [
  annotationNode,
  arrayNode,
  conditionalNode,
  customNodeCapNode,
  customNodeExecuteNode,
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

/** Declared node types by name. */
export const NODE_KINDS: ReadonlyMap<string, NodeKind> = new Map(KINDS.map((kind) => [kind.type, kind]));
