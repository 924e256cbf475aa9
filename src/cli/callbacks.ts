import type { Config } from '../config/config.js';
import { CallbackSigner } from '../platform/callbacks/callback-signer.js';
import { loadSecretsKey } from '../lib/crypto/keys.js';
import { ID_PATTERN } from '../platform/fields/fields.js';

const ID = new RegExp(ID_PATTERN);

/** Returns the secret with which receivers verify the callbacks of an application or instance. */
export function callbackSecret({ SECRETS_KEY: configured, dataDir }: Config, id: string): string {
  if (!ID.test(id)) throw new Error('The ID of an application or instance must have 24 hexadecimal digits');
  return new CallbackSigner(loadSecretsKey({ configured, dataDir })).secretOf(id.toLowerCase());
}
