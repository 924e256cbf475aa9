import type { SecretBox } from '../../../lib/crypto/secrets.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { CONFIGS, CREDENTIAL_TYPES, type Config, type CredentialType } from './credential.configs.js';
import {
  certificateOf,
  infoOf,
  newPrivateKey,
  privateKeyOf,
  publicOpenSsh,
  publicPem,
} from './credential.keys.js';
import { configsOf, type Credential, type CredentialPatch } from './credential.resource.js';

/** A configuration in its two parts: what is shown, and what is sealed. */
export interface Parts {
  shown: Config;
  secrets: Config;
}

/** The place that the secrets of a credential are sealed for. */
const secretsContext = (id: string): string => `credentials:secrets_sealed:${id}`;

export const sealSecrets = (id: string, secrets: Config, box: SecretBox): string =>
  box.seal(JSON.stringify(secrets), secretsContext(id));

export const openSecrets = (id: string, sealed: string, box: SecretBox): Config =>
  JSON.parse(box.open(sealed, secretsContext(id))) as Config;

/** The columns of a credential that comes without its secrets, whatever it is given: whoever wants to use it adds them. */
export function credentialWithoutSecrets(
  id: string,
  { name, description, enabled = true, ...rest }: CredentialPatch & Partial<Pick<Credential, 'type'>>,
  box: SecretBox,
) {
  const type = rest.type ?? typeGiven(rest);
  if (name === undefined) throw new ValidationError('credential.name is required');
  if (!type || !CREDENTIAL_TYPES.includes(type))
    throw new ValidationError(`credential.type must be one of: ${CREDENTIAL_TYPES.join(', ')}`);
  const given = Object.entries(configsOf(rest)[`${type}Config`] ?? {});
  const { secret = {}, asked = {} } = CONFIGS[type];
  const open = given.filter(([member]) => !Object.hasOwn({ ...secret, ...asked }, member));
  return {
    name,
    description,
    type,
    enabled,
    [`${type}Config`]: Object.fromEntries(open),
    secretsSealed: sealSecrets(id, {}, box),
  };
}

/** The type whose configuration a body gives; 400 where it gives several. */
export function typeGiven(body: object): CredentialType | undefined {
  const configs = configsOf(body);
  const [type, other] = CREDENTIAL_TYPES.filter((known) => configs[`${known}Config`] !== undefined);
  if (other)
    throw new ValidationError(`credential.${other}Config cannot stand beside credential.${type}Config`);
  return type;
}

/** 400 unless the configuration that is given is that of the credential. */
export function demandType(given: CredentialType, type: CredentialType): void {
  if (given !== type)
    throw new ValidationError(`credential.${given}Config is not of a credential of the type ${type}`);
}

/** 400 where a new configuration lacks what its schema leaves to this rule. */
export function demandWhole(type: CredentialType, given: Config): void {
  const missing = CONFIGS[type].alsoRequired?.find((name) => given[name] === undefined);
  if (missing) throw new ValidationError(`credential.${type}Config.${missing} is required`);
}

/** What a body gives, with the private key that it asks for; `before` is what is shown already. 400 where none fits. */
export async function withNewKey(type: CredentialType, given: Config, before: Config = {}): Promise<Config> {
  const { generatePrivateKey, ...rest } = given;
  if (generatePrivateKey !== true) return rest;
  const name = type === 'git' ? 'secretValue' : 'privateKey';
  if (rest[name] !== undefined)
    throw new ValidationError(
      `credential.${type}Config must have only one of ${name} and generatePrivateKey`,
    );
  if (type === 'git' && (rest.type ?? before.type) !== 'ssh-key')
    throw new ValidationError('credential.gitConfig.generatePrivateKey is for the type ssh-key');
  return { ...rest, [name]: await newPrivateKey() };
}

/** The configuration after a change: what is given takes the place of what was, and `null` of nothing. */
export function merged(type: CredentialType, before: Parts, given: Config): Parts {
  const isSecret = (name: string) => Object.hasOwn(CONFIGS[type].secret ?? {}, name);
  const all = Object.entries(given);
  const secrets = { ...before.secrets, ...Object.fromEntries(all.filter(([name]) => isSecret(name))) };
  const open = { ...before.shown, ...Object.fromEntries(all.filter(([name]) => !isSecret(name))) };
  const shown = Object.fromEntries(Object.entries(open).filter(([, value]) => value !== null));
  return { shown: derived(type, shown, secrets), secrets };
}

/** What is shown, with what is worked out of the rest; 400 where parts do not fit each other. */
function derived(type: CredentialType, shown: Config, secrets: Config): Config {
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
  // Written out, a number such as 1e20 is longer than it was.
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
  if (pem === undefined) throw new ValidationError(`${at} is required, or generatePrivateKey`);
  const key = privateKeyOf(pem);
  if (key?.asymmetricKeyType !== 'rsa')
    throw new ValidationError(`${at} must be an RSA private key in PEM without a password`);
  return publicPem(key);
}

/** Formats that only OpenSSH reads are taken as they are, without the public key. */
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
