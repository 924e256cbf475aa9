import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Creates the URL to which a browser is redirected to sign in at a SAML identity provider. */
export const samlLoginRedirectNode: NodeKind = {
  type: 'SamlLoginRedirectNode',
  classes: ['cloud', 'customNode', 'experience'],
  run,
};
