import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

export const objectNode: NodeKind = { type: 'ObjectNode', classes: ENGINE_CLASSES, run };
