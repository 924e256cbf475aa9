import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Verifies the response of a SAML identity provider. */
export const samlVerifyNode: NodeKind = {
  type: 'SamlVerifyNode',
  classes: ['cloud', 'customNode', 'experience'],
  run,
};
