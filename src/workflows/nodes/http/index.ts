import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Sends an HTTP request. */
export const httpNode: NodeKind = {
  type: 'HttpNode',
  classes: ENGINE_CLASSES,
  run,
};
