import { RESOURCE_CLASSES } from '../resources/call-api.js';
import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Reads time series of attributes of devices. */
export const timeSeriesNode: NodeKind = { type: 'TimeSeriesNode', classes: RESOURCE_CLASSES, run };
