import type { Config } from '../config/config.js';
import { CallbackSigner } from '../platform/callbacks/callback-signer.js';
import { loadSecretsKey } from '../platform/crypto/keys.js';
import { ID_PATTERN } from '../platform/fields.js';

const ID = new RegExp(ID_PATTERN);

/** The secret with which receivers check the callbacks of an application. */
export function callbackSecret({ SECRETS_KEY: given, dataDir }: Config, applicationId: string): string {
  if (!ID.test(applicationId)) throw new Error('The id of an application has 24 hexadecimal digits');
  return new CallbackSigner(loadSecretsKey({ given, dataDir })).secretOf(applicationId.toLowerCase());
}
