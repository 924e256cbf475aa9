import type { SecretBox } from '../../../lib/crypto/secrets.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { splitConfig, type Config, type SplitConfig } from '../../../platform/sealed/sealed-config.js';
import { CREDENTIAL_TYPES, type CredentialType } from './credential-types.js';
import { CONFIGS, CREDENTIAL_CONFIGS } from './credential.configs.js';
import {
  certificateOf,
  infoOf,
  newPrivateKey,
  privateKeyOf,
  publicOpenSsh,
  publicPem,
} from './credential.keys.js';
import type { Credential, CredentialPatch } from './credential.resource.js';

/**
 * Returns the columns of a credential without secrets; secrets in the input are dropped. Users add them later with an
 * update.
 */
export function credentialWithoutSecrets(
  id: string,
  { name, description, enabled = true, ...rest }: CredentialPatch & Partial<Pick<Credential, 'type'>>,
  box: SecretBox,
) {
  const type = rest.type ?? requestedType(rest);
  if (name === undefined) throw new ValidationError('credential.name is required');
  if (!type || !CREDENTIAL_TYPES.includes(type))
    throw new ValidationError(`credential.type must be one of: ${CREDENTIAL_TYPES.join(', ')}`);
  const { secret, writable } = CONFIGS[type];
  const config = CREDENTIAL_CONFIGS.of(rest, type) ?? {};
  const { shown } = splitConfig(config, Object.keys({ ...secret, ...writable }));
  return {
    name,
    description,
    type,
    enabled,
    ...CREDENTIAL_CONFIGS.columns(id, type, { shown, secrets: {} }, box),
  };
}

/** Returns the type of the configuration in a body. Throws `400` if the body contains several configurations. */
export function requestedType(body: object): CredentialType | undefined {
  const [type, other] = CREDENTIAL_CONFIGS.typesIn(body);
  if (other)
    throw new ValidationError(`credential.${other}Config cannot be combined with credential.${type}Config`);
  return type;
}

/** Throws `400` if a new configuration lacks a property of `requiredOnCreate`, which its schema does not enforce. */
export function assertComplete(type: CredentialType, given: Config): void {
  const missing = CONFIGS[type].requiredOnCreate?.find((name) => given[name] === undefined);
  if (missing) throw new ValidationError(`credential.${type}Config.${missing} is required`);
}

/**
 * Returns the given configuration, with a generated private key if requested; `before` holds the public properties
 * stored so far. Throws `400` if a key cannot be generated for the configuration, and `429` if too many keys of the
 * owner are being generated.
 */
export async function withNewKey(
  ownerId: string,
  type: CredentialType,
  given: Config,
  before: Config = {},
): Promise<Config> {
  const { generatePrivateKey, ...rest } = given;
  if (generatePrivateKey !== true) return rest;
  const name = type === 'git' ? 'secretValue' : 'privateKey';
  if (rest[name] !== undefined)
    throw new ValidationError(
      `credential.${type}Config must have only one of ${name} and generatePrivateKey`,
    );
  if (type === 'git' && (rest.type ?? before.type) !== 'ssh-key')
    throw new ValidationError('credential.gitConfig.generatePrivateKey requires the type ssh-key');
  return { ...rest, [name]: await newPrivateKey(ownerId) };
}

/** Merges changes into a configuration: given properties replace existing ones, and `null` removes them. */
export function merged(type: CredentialType, before: SplitConfig, given: Config): SplitConfig {
  const { shown, secrets } = CREDENTIAL_CONFIGS.merged(type, before, given);
  return { shown: deriveConfig(type, shown, secrets), secrets };
}

/** Returns the public properties, including the derived ones. Throws `400` if properties do not match each other. */
function deriveConfig(type: CredentialType, shown: Config, secrets: Config): Config {
  switch (type) {
    case 'gcp':
      return { keyMetaJson: metaOf(secrets.keyJson as string) };
    case 'http':
      return { ...shown, publicValue: shown.publicValue ?? '' };
    case 'snowflake':
      return { ...shown, publicKey: snowflakePublicKey(secrets.privateKey as string | undefined) };
    case 'git':
      return withPublicKey(shown, secrets.secretValue as string | undefined);
    case 'certificateKeyPair':
      return { ...shown, info: pairInfo(shown.certificate as string, secrets.privateKey as string) };
    default:
      return shown;
  }
}

function metaOf(keyJson: string): string {
  const at = 'credential.gcpConfig.keyJson';
  const key = objectIn(keyJson);
  if (!key) throw new ValidationError(`${at} must be a JSON object`);
  const { private_key: _, ...meta } = key;
  const text = JSON.stringify(meta);
  // Serialization can lengthen the text, for example of a number such as 1e20.
  if (text.length > 8192) throw new ValidationError(`${at} must have at most 8192 characters`);
  return text;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function snowflakePublicKey(pem: string | undefined): string {
  const at = 'credential.snowflakeConfig.privateKey';
  if (pem === undefined) throw new ValidationError(`${at} is required unless generatePrivateKey is set`);
  const key = privateKeyOf(pem);
  if (key?.asymmetricKeyType !== 'rsa')
    throw new ValidationError(`${at} must be an RSA private key in PEM without a password`);
  return publicPem(key);
}

/** Accepts formats that only OpenSSH reads, without deriving a public key. */
function withPublicKey({ publicKey: _, ...shown }: Config, secret: string | undefined): Config {
  const key = shown.type === 'ssh-key' && secret ? privateKeyOf(secret) : undefined;
  const publicKey = key && publicOpenSsh(key);
  return { ...shown, ...(publicKey ? { publicKey } : {}) };
}

function pairInfo(certificatePem: string, privatePem: string): Config {
  const at = 'credential.certificateKeyPairConfig';
  const certificate = certificateOf(certificatePem);
  if (!certificate) throw new ValidationError(`${at}.certificate must be a certificate in PEM`);
  const key = privateKeyOf(privatePem);
  if (!key) throw new ValidationError(`${at}.privateKey must be a private key in PEM without a password`);
  if (!certificate.checkPrivateKey(key))
    throw new ValidationError(`${at}.privateKey must belong to the certificate`);
  return infoOf(certificate);
}
