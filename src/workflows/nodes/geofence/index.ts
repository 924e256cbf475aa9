import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Continues with output 1 if a place is inside of a circle or polygon, otherwise with output 0. */
export const geofenceNode: NodeKind = { type: 'GeofenceNode', classes: ENGINE_CLASSES, run };
