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
  placeholderWord: 'credential',
  place: { file: () => 'credentials' },
  post: CredentialPatch,
  additional: ['type'],
  computed: GIVEN_CONFIGS,
  neverReplaced: true,
  row: (body, { id, secrets }) => credentialWithoutSecrets(id, body, secrets),
});
