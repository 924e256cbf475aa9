import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Computes a hash or, with a secret, an HMAC. */
export const hashNode: NodeKind = {
  type: 'HashNode',
  classes: ENGINE_CLASSES,
  run,
};
