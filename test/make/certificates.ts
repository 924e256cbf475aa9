import { randomBytes, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  type Extension,
} from '../../src/lib/crypto/x509.js';
// Imported after the module that it depends on to load.
import { X509CertificateGenerator } from '@peculiar/x509';
import type { Platform } from '../setup/platform.js';
import { uniqueName } from './make.js';

type Keys = webcrypto.CryptoKeyPair;

/** A certificate with its keys. */
export interface Issued {
  subject: string;
  keys: Keys;
  pem: string;
}

interface Wanted {
  subject?: string;
  /** Signing authority; self-signed if unset. */
  issuer?: Pick<Issued, 'subject' | 'keys'>;
  extensions?: Extension[];
  keys?: Keys;
  notBefore?: Date;
  notAfter?: Date;
  serialNumber?: string;
}

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const DAY = 86_400_000;
const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export const isAuthority = (critical = true, ca = true): Extension =>
  new BasicConstraintsExtension(ca, undefined, critical);
export const signs = (
  critical = true,
  usages = KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign,
): Extension => new KeyUsagesExtension(usages, critical);
export const usedFor = (...usages: string[]): Extension => new ExtendedKeyUsageExtension(usages);

export const named = (domains: readonly string[]): Extension =>
  new SubjectAlternativeNameExtension(domains.map((value) => ({ type: 'dns', value })));

/** Returns the private key of a certificate in PEM. */
export async function pemKeyOf({ keys }: Issued): Promise<string> {
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const lines = pkcs8.toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`;
}

export const newKeys = async (algorithm: object = P256): Promise<Keys> =>
  await webcrypto.subtle.generateKey(algorithm as webcrypto.EcKeyGenParams, true, ['sign', 'verify']);

/** Issues a certificate. */
export async function issue({
  subject = `CN=${uniqueName()}`,
  issuer,
  extensions,
  ...wanted
}: Wanted): Promise<Issued> {
  const keys = wanted.keys ?? (await newKeys());
  const signer = issuer ?? { subject, keys };
  const made = await X509CertificateGenerator.create(
    {
      subject,
      issuer: signer.subject,
      publicKey: keys.publicKey,
      signingKey: signer.keys.privateKey,
      signingAlgorithm: P256,
      serialNumber: wanted.serialNumber ?? `4${randomBytes(8).toString('hex')}f`,
      notBefore: wanted.notBefore ?? new Date(Date.now() - DAY),
      notAfter: wanted.notAfter ?? new Date(Date.now() + DAY),
      extensions,
    },
    webcrypto,
  );
  return { subject, keys, pem: `${made.toString('pem')}\n` };
}

/** Issues the certificate of an authority, self-signed or signed by another. */
export const issueAuthority = (wanted: Wanted = {}): Promise<Issued> =>
  issue({ extensions: [isAuthority(), signs()], ...wanted });

/** Issues a client certificate for a device. */
export const issueForDevice = (issuer: Issued, wanted: Wanted = {}): Promise<Issued> =>
  issue({ issuer, extensions: [usedFor(CLIENT_AUTH)], ...wanted });

/** Issues a server certificate for these domains. */
export const issueForDomain = (domains: readonly string[], wanted: Wanted = {}): Promise<Issued> =>
  issue({ extensions: [named(domains)], ...wanted });

/** Registers an authority in an application and returns its ID. */
export async function trust(
  test: Platform,
  token: string,
  applicationId: string,
  caBundle: string,
): Promise<string> {
  const path = `/applications/${applicationId}/certificate-authorities`;
  const { status, body } = await test.client.post(path, { name: uniqueName(), caBundle }, { token });
  if (status !== 201) throw new Error(`${path} answered ${status}`);
  return body.id as string;
}

/** Registers an authority in an application, and returns a certificate that devices can register with. */
export async function certificateIn(test: Platform, token: string, applicationId: string): Promise<string> {
  const authority = await issueAuthority();
  await trust(test, token, applicationId, authority.pem);
  return (await issueForDevice(authority)).pem;
}
