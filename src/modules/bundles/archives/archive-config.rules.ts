import { createPrivateKey } from 'node:crypto';
import { ValidationError } from '../../../lib/errors/errors.js';
import type {
  ApplicationGlobal,
  ArchiveConfig,
} from '../../applications/applications/application.resource.js';
import {
  changedMember,
  splitConfig,
  type Config,
  type Secrets,
  type SplitConfig,
} from '../../../platform/sealed/sealed-config.js';
import { fillTemplate } from './archive-template.js';
import type { ArchivePlace } from './archive-store.js';

/** Path of the archive settings in error messages. */
export const FIELD = 'application.archiveConfig';

type Kind = ArchivePlace['kind'];
const KINDS: readonly Kind[] = ['s3', 'gcs', 'azure'];

/**
 * Secret member of each kind of place, the type of credential that provides it, and the members that decide where and as
 * whom it is used.
 */
export const SECRETS = {
  s3: {
    member: 'secretAccessKey',
    credential: 'aws',
    destination: ['bucket', 'region', 'accessKeyId'],
  },
  gcs: { member: 'keyJson', credential: 'gcp', destination: ['bucket'] },
  azure: { member: 'accountKey', credential: 'azure', destination: ['account', 'bucket'] },
} as const;
const SECRET_PATHS = KINDS.map((kind) => `${kind}.${SECRETS[kind].member}`);
/** Members that must be absent if a credential is set, because the credential provides them. */
const CREDENTIAL_MEMBERS: Readonly<Record<Kind, readonly string[]>> = {
  s3: ['accessKeyId', 'secretAccessKey'],
  gcs: ['keyJson'],
  azure: ['accountKey'],
};

const S3_BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const GCS_BUCKET = /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/;
const AZURE_CONTAINER = /^(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*$/;
const AZURE_ACCOUNT = /^[a-z0-9]{3,24}$/;
const REGION = /^(?=.{2,32}$)[a-z0-9]+(-[a-z0-9]+)*$/;
const BASE64 = /^[A-Za-z0-9+/]{4,}={0,2}$/;
const S3_REGION = 'us-east-1';
/** Maximum length of a directory. Values that `SEGMENT` rejects are not preserved verbatim by every store. */
const MAX_DIRECTORY_LENGTH = 512;
const SEGMENT = /^(?!\.{1,2}$)[^\p{Cc}\\]+$/u;

/** A service credential as used by archive settings: its type and its members, including secret ones. */
export interface ArchiveCredential {
  type: string;
  enabled: boolean;
  members: Readonly<Record<string, unknown>>;
}

/** Resolved archive settings: a place and the directory in it. A non-empty directory ends with `/`. */
export interface ArchiveDestination {
  place: ArchivePlace;
  directory: string;
}

/** Returns the kind of place in the settings. Throws 400 if the owner or the combination of settings is not allowed. */
export function kindOf(config: ArchiveConfig, ownerType: 'user' | 'organization'): Kind {
  if (ownerType !== 'organization')
    throw new ValidationError(`${FIELD} is supported only for applications of an organization`);
  const [kind, other] = KINDS.filter((known) => config[known] !== undefined);
  if (!kind || other) throw new ValidationError(`${FIELD} must contain exactly one of s3, gcs and azure`);
  const vain = CREDENTIAL_MEMBERS[kind].find((member) => blockOf(config, kind)[member] !== undefined);
  if (config.credentialName !== undefined && vain)
    throw new ValidationError(`${FIELD}.${kind}.${vain} must be absent if credentialName is set`);
  return kind;
}

/** Splits settings into public settings and secrets. */
export const splitSecrets = (config: ArchiveConfig): SplitConfig<ArchiveConfig> =>
  splitConfig(config, SECRET_PATHS);

/** Path among the secrets of the destination, without templates, for which the secret of the place was given. */
export const boundTo = (kind: Kind): string => `${kind}.destination`;

/** Returns the members of a place that decide where and as whom its secret is used. */
export function boundMembers(place: ArchivePlace): Config {
  const members: Config = { ...place };
  return Object.fromEntries(SECRETS[place.kind].destination.map((name) => [name, members[name]]));
}

/**
 * Throws `400` if a secret that was given for the destination `before` would be used for another place. Both are compared
 * without templates, because a change of a global could otherwise send the secret elsewhere.
 */
export function assertSameDestination(before: Config, place: ArchivePlace): void {
  const { member, destination } = SECRETS[place.kind];
  const changed = changedMember(destination, before, boundMembers(place));
  if (changed)
    throw new ValidationError(`${FIELD}.${place.kind}.${member} is required when ${changed} changes`);
}

/**
 * Resolves settings (without their secrets) to a place, replacing templates with globals. Throws 400 naming the invalid
 * setting.
 */
export function destinationOf(
  config: ArchiveConfig,
  kind: Kind,
  globals: readonly ApplicationGlobal[],
  signIn: { secrets: Secrets } | { credential: ArchiveCredential | undefined },
): ArchiveDestination {
  const block = blockOf(config, kind);
  const own = 'secrets' in signIn ? ownMembers(kind, block, signIn.secrets) : credentialMembers(kind, signIn);
  const at = `${FIELD}.${kind}`;
  const text = (member: string, pattern: RegExp, otherwise?: string): string => {
    const given = block[member] ?? own[member] ?? otherwise;
    if (typeof given !== 'string') throw new ValidationError(`${at}.${member} is required`);
    const value = fillTemplate(given, globals, `${at}.${member}`);
    if (!pattern.test(value)) throw new ValidationError(`${at}.${member} is not valid`);
    return value;
  };
  const directory = directoryOf(config, globals);
  switch (kind) {
    case 's3': {
      const { accessKeyId, secretAccessKey } = own as Record<'accessKeyId' | 'secretAccessKey', string>;
      const region = text('region', REGION, S3_REGION);
      return {
        directory,
        place: { kind, bucket: text('bucket', S3_BUCKET), region, accessKeyId, secretAccessKey },
      };
    }
    case 'gcs':
      return {
        directory,
        place: { kind, bucket: text('bucket', GCS_BUCKET), ...serviceAccount(own.keyJson, at) },
      };
    case 'azure': {
      const accountKey = own.accountKey as string;
      if (!BASE64.test(accountKey)) throw new ValidationError(`${at}.accountKey must be base64`);
      const account = text('account', AZURE_ACCOUNT);
      return { directory, place: { kind, bucket: text('bucket', AZURE_CONTAINER), account, accountKey } };
    }
  }
}

/** Returns the path, for error messages, of the setting that grants write access to the place. */
export function accessField(config: ArchiveConfig, kind: Kind): string {
  return config.credentialName === undefined
    ? `${FIELD}.${kind}.${SECRETS[kind].member}`
    : `${FIELD}.credentialName`;
}

const blockOf = (config: ArchiveConfig, kind: Kind): Readonly<Record<string, unknown>> => ({
  ...config[kind],
});

function ownMembers(
  kind: Kind,
  block: Readonly<Record<string, unknown>>,
  secrets: Secrets,
): Readonly<Record<string, unknown>> {
  const { member } = SECRETS[kind];
  const members: Record<string, unknown> = { ...block, [member]: secrets[`${kind}.${member}`] };
  for (const name of CREDENTIAL_MEMBERS[kind])
    if (!members[name])
      throw new ValidationError(`${FIELD}.${kind}.${name} is required unless credentialName is set`);
  return members;
}

function credentialMembers(
  kind: Kind,
  { credential }: { credential: ArchiveCredential | undefined },
): Readonly<Record<string, unknown>> {
  const type = SECRETS[kind].credential;
  if (!credential)
    throw new ValidationError(`${FIELD}.credentialName does not match a credential of the application`);
  if (!credential.enabled)
    throw new ValidationError(`${FIELD}.credentialName refers to a disabled credential`);
  if (credential.type !== type)
    throw new ValidationError(`${FIELD}.credentialName must refer to a credential of type ${type}`);
  return credential.members;
}

/**
 * Extracts only the signing data from a service account key. The URLs in a key file are untrusted and could redirect
 * requests.
 */
function serviceAccount(keyJson: unknown, at: string): { clientEmail: string; privateKey: string } {
  const refused = new ValidationError(`${at}.keyJson must be a service account key in JSON format`);
  try {
    const key = JSON.parse(keyJson as string) as Record<string, unknown>;
    const { client_email: clientEmail, private_key: privateKey } = key;
    if (typeof clientEmail !== 'string' || typeof privateKey !== 'string') throw refused;
    if (createPrivateKey(privateKey).asymmetricKeyType !== 'rsa') throw refused;
    return { clientEmail, privateKey };
  } catch {
    throw refused;
  }
}

function directoryOf({ directory = '' }: ArchiveConfig, globals: readonly ApplicationGlobal[]): string {
  const at = `${FIELD}.directory`;
  const segments = fillTemplate(directory, globals, at)
    .split('/')
    .filter((segment) => segment !== '');
  const whole = segments.map((segment) => `${segment}/`).join('');
  if (whole.length > MAX_DIRECTORY_LENGTH)
    throw new ValidationError(`${at} must have at most ${MAX_DIRECTORY_LENGTH} characters`);
  if (!segments.every((segment) => SEGMENT.test(segment)))
    throw new ValidationError(`${at} must consist of names separated by /`);
  return whole;
}
