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
  tags: [
    {
      name: 'credentials',
      description: 'List and create credentials, with which workflows sign in to other services.',
    },
    {
      name: 'credential',
      description: 'Read, update and delete a credential, and list the resources that use it.',
    },
  ],
};
