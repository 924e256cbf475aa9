import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Computes with a date, formats it, or takes it apart. */
export const dateTimeNode: NodeKind = { type: 'DateTimeNode', classes: ENGINE_CLASSES, run };
