import { bundled } from '../../platform/bundles/bundled.js';
import { CredentialPost, CREDENTIALS } from './credential.resource.js';
import { credentialWithoutSecrets } from './credential.rules.js';

/** Without their secrets: what names a credential finds it again, and it works once they are given. */
export const BUNDLED_CREDENTIALS = bundled({
  holding: CREDENTIALS,
  resourceType: 'Credential',
  word: 'credential',
  place: { file: 'credentials' },
  post: CredentialPost,
  row: (body, { id, secrets }) => credentialWithoutSecrets(id, body, secrets),
});
