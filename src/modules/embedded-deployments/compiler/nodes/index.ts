import type { NodeKind } from '../emitter.js';
import { annotationNode } from './annotation.js';
import { conditionalNode } from './conditional.js';
import { debugNode } from './debug.js';
import { delayNode } from './delay.js';
import { getValueNode } from './get-value.js';
import { latchNode } from './latch.js';
import { loopNode } from './loop.js';
import { loopCapNode } from './loop-cap.js';
import { storeValueNode } from './store-value.js';
import { switchNode } from './switch.js';
import { throwErrorNode } from './throw-error.js';

/** Every type of node that compiles, one line each. */
const KINDS: readonly NodeKind[] = [
  annotationNode,
  conditionalNode,
  debugNode,
  delayNode,
  getValueNode,
  latchNode,
  loopNode,
  loopCapNode,
  storeValueNode,
  switchNode,
  throwErrorNode,
];

export const NODE_KINDS: ReadonlyMap<string, NodeKind> = new Map(KINDS.map((kind) => [kind.type, kind]));
