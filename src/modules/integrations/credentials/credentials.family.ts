import type { Family } from '../../../platform/families.js';
import { BUNDLED_CREDENTIALS } from './credential.bundle.js';
import { CREDENTIALS, Credential } from './credential.resource.js';
import { CredentialsModule } from './credentials.module.js';

/** Credentials with which workflows sign in to other services. */
export const CREDENTIALS_FAMILY: Family = {
  modules: [CredentialsModule],
  entities: [Credential],
  holdings: [CREDENTIALS],
  bundles: [BUNDLED_CREDENTIALS],
  tag: {
    name: 'credentials',
    title: 'Credentials',
    group: 'Workflows',
    resources: ['credentials', 'credential'],
    description:
      'Credentials, with which workflows sign in to other services, and the resources that use them.',
  },
};
