import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Issues a certificate, signed by the key of a credential. */
export const certificateCreateNode: NodeKind = {
  type: 'CertificateCreateNode',
  classes: ['cloud', 'customNode', 'edge', 'experience'],
  run,
};
