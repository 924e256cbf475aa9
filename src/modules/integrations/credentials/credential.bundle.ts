import { bundled } from '../../../platform/bundles/bundled.js';
import { GIVEN_CONFIGS } from './credential.columns.js';
import { CredentialPatch, CREDENTIALS } from './credential.resource.js';
import { credentialWithoutSecrets } from './credential.rules.js';

/** Without their secrets, as changes to them may be: what names a credential finds it again, and whoever wants to use it adds them. */
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
