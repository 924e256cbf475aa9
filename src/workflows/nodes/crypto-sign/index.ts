import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Signs a text with a private key. */
export const cryptoSignNode: NodeKind = {
  type: 'CryptoSignNode',
  classes: ['cloud', 'customNode', 'edge', 'experience'],
  run,
};
