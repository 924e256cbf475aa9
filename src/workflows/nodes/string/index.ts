import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

export const stringNode: NodeKind = { type: 'StringNode', classes: ENGINE_CLASSES, run };
