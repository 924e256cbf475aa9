import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);
const MODULUS_BITS = 3072;
const LONGEST = 1024;

/** A new RSA private key, PEM: what every Git server and Snowflake take. */
export async function newPrivateKey(): Promise<string> {
  const { privateKey } = await generate('rsa', { modulusLength: MODULUS_BITS });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The key of a PEM text without a password; nothing where it is none. */
export function privateKeyOf(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/** The certificate of a PEM text; nothing where it is none. */
export function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** The public half as PEM. */
export const publicPem = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();

/** The public half as OpenSSH writes it; nothing for kinds of keys other than RSA and Ed25519. */
export function publicOpenSsh(key: KeyObject): string | undefined {
  const { asymmetricKeyType: kind } = key;
  if (kind !== 'rsa' && kind !== 'ed25519') return undefined;
  const { e, n, x } = createPublicKey(key).export({ format: 'jwk' });
  const name = `ssh-${kind}`;
  const parts = kind === 'rsa' ? [integer(e!), integer(n!)] : [Buffer.from(x!, 'base64url')];
  const blob = Buffer.concat([Buffer.from(name), ...parts].flatMap((part) => [lengthOf(part), part]));
  return `${name} ${blob.toString('base64')}`;
}

/** What a certificate says, as answers show it. */
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
    Object.entries(info).flatMap(([name, value]) => (value ? [[name, value.slice(0, LONGEST)]] : [])),
  );
}

/** Nothing for a time that the certificate has in no form that is one. */
function timeOf(text: string): string | undefined {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Node returns nothing for an empty name, whatever its types say. */
const commonName = (name: string | undefined): string | undefined => /^CN=(.+)$/m.exec(name ?? '')?.[1];

function lengthOf(part: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(part.length);
  return length;
}

/** A positive number: a first bit that is set would be a sign. */
function integer(base64url: string): Buffer {
  const bytes = Buffer.from(base64url, 'base64url');
  return bytes[0]! & 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes;
}
