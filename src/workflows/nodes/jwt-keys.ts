import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import type { Algorithm } from 'jsonwebtoken';
import type { RunPath } from '../engine/node-run.js';
import { RunFault } from '../engine/run-error.js';
import { openedCredential } from './credentials.js';
import * as setting from './settings.js';

const ALGORITHMS = ['HS', 'RS', 'ES'].flatMap((kind) =>
  ['256', '384', '512'].map((bits) => `${kind}${bits}` as Algorithm),
);
/** Longest secret. Longer private keys take too long to sign with. */
const MAX_SECRET_LENGTH = 4096;

/** Settings of the key, of a credential or inline. */
export const jwtKey = setting.group({
  credentialNameTemplate: setting.template,
  secretTemplate: setting.template,
  algorithmTemplate: setting.template,
  issuerTemplate: setting.template,
});

export interface JwtKey {
  readonly secret: string;
  /** Empty if not set. */
  readonly issuer: string;
  /** Empty if not set. */
  readonly algorithm: string;
}

/** Returns the key of a node. Throws a `RunFault` for an unknown credential, and for a secret that is empty or too long. */
export async function keyOf(config: setting.Read<typeof jwtKey>, path: RunPath): Promise<JwtKey> {
  const { data } = path.payload;
  const name = config.credentialNameTemplate(data);
  const members = name === '' ? {} : await openedCredential(path, name, 'jwt');
  const text = (member: string): string => (typeof members[member] === 'string' ? members[member] : '');
  const secret = name === '' ? config.secretTemplate(data) : text('secret');
  if (secret === '' || secret.length > MAX_SECRET_LENGTH)
    throw new RunFault('ValidationError', `secretTemplate must have 1 to ${MAX_SECRET_LENGTH} characters`);
  return {
    secret,
    issuer: config.issuerTemplate(data) || text('issuer'),
    algorithm: config.algorithmTemplate(data).trim() || text('algorithm'),
  };
}

/** Returns the algorithm with this name; `undefined` for others, such as `none`. */
export const algorithmNamed = (name: unknown): Algorithm | undefined =>
  ALGORITHMS.find((algorithm) => algorithm === name);

/** Returns the key to sign with, of the kind that the algorithm needs. Throws an error of `node:crypto`. */
export const signingKey = (algorithm: Algorithm, secret: string): KeyObject =>
  algorithm.startsWith('HS') ? createSecretKey(Buffer.from(secret)) : createPrivateKey(secret);

/**
 * Returns the key to verify with, and the algorithms of its kind. A public key is never used as a shared secret, because
 * anybody could sign with it.
 */
export function verifyingKey(secret: string): { key: KeyObject; algorithms: Algorithm[] } {
  if (!secret.includes('-----BEGIN '))
    return { key: createSecretKey(Buffer.from(secret)), algorithms: ofKind('HS') };
  const key = createPublicKey(secret);
  return { key, algorithms: ofKind(key.asymmetricKeyType === 'ec' ? 'ES' : 'RS') };
}

const ofKind = (kind: string): Algorithm[] => ALGORITHMS.filter((algorithm) => algorithm.startsWith(kind));
