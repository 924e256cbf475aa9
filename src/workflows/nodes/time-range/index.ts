import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Continues with output 1 if a time is within hours of a day and on days of a week, otherwise with output 0. */
export const timeRangeNode: NodeKind = { type: 'TimeRangeNode', classes: ENGINE_CLASSES, run };
