import { EDGE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Replies to an HTTP request to the web server of an edge device. */
export const httpResponseNode: NodeKind = { type: 'HttpResponseNode', classes: EDGE_CLASSES, run };
