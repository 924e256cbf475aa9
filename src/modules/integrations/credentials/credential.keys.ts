import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { WorkBudget } from '../../../lib/async/work-budget.js';

const generate = promisify(generateKeyPair);
const MODULUS_BITS = 3072;
/** A key takes about a second of one core, so owners take turns, and other work keeps at least half of the cores. */
const BUDGET = new WorkBudget({
  concurrency: Math.max(1, Math.floor(availableParallelism() / 2)),
  waitingPerOwner: 4,
  waiting: 64,
});
const MAX_NAME_LENGTH = 1024;

/**
 * Generates an RSA private key in PEM format. RSA is accepted by Snowflake and every Git server. Throws `TooManyRequests`
 * if too many keys of the owner are waiting, and `Unavailable` if too many are waiting in total.
 */
export async function newPrivateKey(ownerId: string): Promise<string> {
  const { privateKey } = await BUDGET.run(ownerId, () => generate('rsa', { modulusLength: MODULUS_BITS }));
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Parses an unencrypted private key in PEM format; returns `undefined` if it is invalid. */
export function privateKeyOf(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/** Parses a certificate in PEM format; returns `undefined` if it is invalid. */
export function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** Returns the public key in PEM format. */
export const publicPem = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();

/** Returns the public key in OpenSSH format, or `undefined` for key types other than RSA and Ed25519. */
export function publicOpenSsh(key: KeyObject): string | undefined {
  const { asymmetricKeyType: kind } = key;
  if (kind !== 'rsa' && kind !== 'ed25519') return undefined;
  const { e, n, x } = createPublicKey(key).export({ format: 'jwk' });
  const name = `ssh-${kind}`;
  const parts = kind === 'rsa' ? [integer(e!), integer(n!)] : [Buffer.from(x!, 'base64url')];
  const blob = Buffer.concat([Buffer.from(name), ...parts].flatMap((part) => [lengthOf(part), part]));
  return `${name} ${blob.toString('base64')}`;
}

/** Returns the details of a certificate, as in responses. */
export function infoOf(certificate: X509Certificate): Record<string, string> {
  const { subject, issuer, serialNumber, fingerprint256, validFrom, validTo } = certificate;
  const info = {
    commonName: commonName(subject),
    issuerName: commonName(issuer) ?? issuer,
    serialNumber,
    fingerprint: fingerprint256,
    notValidBefore: timeOf(validFrom),
    notValidAfter: timeOf(validTo),
  };
  return Object.fromEntries(
    Object.entries(info).flatMap(([name, value]) => (value ? [[name, value.slice(0, MAX_NAME_LENGTH)]] : [])),
  );
}

/** Returns the time in ISO 8601, or `undefined` if it cannot be parsed. */
function timeOf(text: string): string | undefined {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Node returns `undefined` for an empty name, contrary to its types. */
const commonName = (name: string | undefined): string | undefined => /^CN=(.+)$/m.exec(name ?? '')?.[1];

function lengthOf(part: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(part.length);
  return length;
}

/** SSH integers are signed, so a leading zero byte is added if the first bit is set. */
function integer(base64url: string): Buffer {
  const bytes = Buffer.from(base64url, 'base64url');
  return bytes[0]! & 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes;
}
