import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Continues with output 1 if enough time has passed since it last did, otherwise with output 0. */
export const throttleNode: NodeKind = { type: 'ThrottleNode', classes: ENGINE_CLASSES, run };
