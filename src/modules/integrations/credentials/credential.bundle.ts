import { bundled } from '../../../platform/bundles/bundled.js';
import { GIVEN_CONFIGS } from './credential.columns.js';
import { CredentialPatch, CREDENTIALS } from './credential.resource.js';
import { credentialWithoutSecrets } from './credential.rules.js';

/**
 * Credentials in a bundle, without their secrets. Resources still find them by name, and the importing user adds the
 * secrets with an update.
 */
export const BUNDLED_CREDENTIALS = bundled({
  holding: CREDENTIALS,
  resourceType: 'Credential',
  word: 'credential',
  place: { file: () => 'credentials' },
  post: CredentialPatch,
  also: ['type'],
  known: GIVEN_CONFIGS,
  neverReplaced: true,
  row: (body, { id, secrets }) => credentialWithoutSecrets(id, body, secrets),
});
