import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Verifies the signature of a text. The second output is taken if it is valid. */
export const cryptoVerifyNode: NodeKind = {
  type: 'CryptoVerifyNode',
  classes: ENGINE_CLASSES,
  run,
};
