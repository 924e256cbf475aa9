import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Reads certificates. */
export const certificateReadNode: NodeKind = {
  type: 'CertificateReadNode',
  classes: ['cloud', 'customNode', 'edge', 'experience'],
  run,
};
