import { RESOURCE_CLASSES } from '../resources/call-api.js';
import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Reads one value of attributes of devices: the last one, or an aggregation over a time range. */
export const gaugeNode: NodeKind = { type: 'GaugeNode', classes: RESOURCE_CLASSES, run };
