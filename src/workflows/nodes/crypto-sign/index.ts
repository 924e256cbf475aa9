import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Signs a text with a private key. */
export const cryptoSignNode: NodeKind = {
  type: 'CryptoSignNode',
  classes: ENGINE_CLASSES,
  run,
};
