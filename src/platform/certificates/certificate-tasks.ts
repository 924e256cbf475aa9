import { createHash, X509Certificate } from 'node:crypto';
import { readPem } from '../../lib/crypto/pem.js';
import { privateKeyOf } from '../../lib/crypto/private-key.js';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509Certificate as Parsed,
} from '../../lib/crypto/x509.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { isValidAt, numbered, type Certificate } from './certificate.js';
import type { CertificateInfo } from './certificate-info.js';

/** Extensions that may be critical, because a family or the device connection enforces them. */
const SUPPORTED_EXTENSIONS: ReadonlySet<string> = new Set([
  '2.5.29.15', // keyUsage
  '2.5.29.17', // subjectAltName
  '2.5.29.19', // basicConstraints
  '2.5.29.37', // extKeyUsage
]);
const MAX_COMMON_NAME_LENGTH = 255;
const MAX_NAME_LENGTH = 1024;
const MIN_MODULUS_BITS = 2048;

/** A PEM text, and its name in messages. */
export interface PemText {
  pem: string;
  at: string;
}

/** A certificate with its private key, and the certificates of the authorities above it. */
export interface PemChain {
  certificate: PemText;
  key: PemText;
  bundle?: PemText;
}

/** What a `PemChain` contains. */
export interface CertificateChain {
  /** Certificates of the text, not necessarily one. */
  certificates: Certificate[];
  /** Whether the key belongs to the first certificate. */
  hasKey: boolean;
  bundle: { certificate: Certificate; signedPrevious: boolean }[];
}

/** The tasks of the process for certificates, see `Certificates`. */
export const CERTIFICATE_TASKS = {
  /** Reads a certificate in DER. */
  readDer: ({ der, at }: { der: Uint8Array; at: string }): Certificate => read(der, at),
  readPem: (text: PemText): Certificate[] => allOf(text),
  readChain: ({ certificate, key, bundle }: PemChain): CertificateChain => {
    const certificates = allOf(certificate);
    const above = bundle ? allOf(bundle) : [];
    const chain = [certificates[0]!, ...above].map(({ der }) => nativeOf(der));
    return {
      certificates,
      hasKey: chain[0]!.checkPrivateKey(privateKeyOf(key.pem, key.at)),
      bundle: above.map((each, i) => ({
        certificate: each,
        signedPrevious: isSigned(chain[i]!, chain[i + 1]!),
      })),
    };
  },
  /** Returns the first of the candidates that signed a certificate and is valid at `time`, if given; with its number. */
  findIssuer: ({
    der,
    candidates,
    time,
  }: IssuerSearch): { index: number; issuer: Certificate } | undefined => {
    const certificate = nativeOf(der);
    for (const [index, candidate] of candidates.entries()) {
      // Verifying a signature is cheaper than reading all data of a certificate.
      if (!isSigned(certificate, nativeOf(candidate))) continue;
      const issuer = read(candidate, 'caBundle');
      if (!time || isValidAt(issuer, time)) return { index, issuer };
    }
    return undefined;
  },
};

export type CertificateTasks = typeof CERTIFICATE_TASKS;

/** Certificates in DER: one, and those that may have signed it. */
export interface IssuerSearch {
  der: Uint8Array;
  candidates: readonly Uint8Array[];
  time?: Date;
}

const nativeOf = (der: Uint8Array): X509Certificate => new X509Certificate(der);

/** Returns whether a certificate names the authority as its issuer and carries its signature. */
const isSigned = (certificate: X509Certificate, authority: X509Certificate): boolean =>
  certificate.checkIssued(authority) && certificate.verify(authority.publicKey);

/** Returns the certificates of a PEM text. Errors (`400`) identify each by its number. */
const allOf = ({ pem, at }: PemText): Certificate[] =>
  readPem(pem, at).map((der, i) => read(der, numbered(at, i)));

/**
 * Parses a certificate in DER by two parsers: OpenSSL, and one that exposes extensions. Throws a `400` error that refers
 * to it as `name`.
 */
function read(der: Uint8Array, name: string): Certificate {
  try {
    const native = nativeOf(der);
    if (!native.raw.equals(der)) throw new Fault('has data after its end');
    return certificateOf(native, new Parsed(new Uint8Array(der)));
  } catch (error) {
    throw new ValidationError(
      `${name} ${error instanceof Fault ? error.message : 'is not a readable X.509 certificate'}`,
    );
  }
}

function certificateOf(native: X509Certificate, parsed: Parsed): Certificate {
  const { raw, ca, fingerprint, publicKey } = native;
  const [subject, issuer] = [textOf(native.subject), textOf(native.issuer)];
  const info = infoOf(parsed, fingerprint);
  const { modulusLength = MIN_MODULUS_BITS } = publicKey.asymmetricKeyDetails ?? {};
  if (modulusLength < MIN_MODULUS_BITS)
    throw new Fault(`has an RSA key of fewer than ${MIN_MODULUS_BITS} bits`);
  const { extensions, notBefore, notAfter } = parsed;
  const unknown = extensions.find(({ critical, type }) => critical && !SUPPORTED_EXTENSIONS.has(type));
  if (unknown) throw new Fault(`has the critical extension ${unknown.type}, which is not supported`);
  const constraints = extensions.find((each) => each instanceof BasicConstraintsExtension);
  const usage = extensions.find((each) => each instanceof KeyUsagesExtension);
  const extended = extensions.find((each) => each instanceof ExtendedKeyUsageExtension);
  const names = extensions.find((each) => each instanceof SubjectAlternativeNameExtension)?.names.items ?? [];
  return {
    info,
    der: raw,
    digest: createHash('sha256').update(raw).digest('hex'),
    isAuthority: ca,
    isSelfSigned: subject === issuer && native.verify(publicKey),
    subject,
    issuer,
    notBefore,
    notAfter,
    domains: names.filter(({ type }) => type === 'dns').map(({ value }) => value.toLowerCase()),
    ...(constraints && { basicConstraints: { ca: constraints.ca, critical: constraints.critical } }),
    ...(usage && { keyUsage: { flags: usage.usages, critical: usage.critical } }),
    ...(extended && { extendedKeyUsage: extended.usages.map(String) }),
  };
}

/** Defect of a certificate, as the end of a sentence that starts with its name. */
class Fault extends Error {}

function infoOf(parsed: Parsed, fingerprint: string): CertificateInfo {
  const { serialNumber, subjectName, issuerName, notBefore, notAfter } = parsed;
  const [commonName] = subjectName.getField('CN');
  const issuer = issuerName.getField('CN')[0] ?? parsed.issuer;
  if ([commonName, issuer].some((name) => /\p{Cc}/u.test(name ?? '')))
    throw new Fault('has a name with control characters');
  if ((commonName ?? '').length > MAX_COMMON_NAME_LENGTH)
    throw new Fault(`has a common name of more than ${MAX_COMMON_NAME_LENGTH} characters`);
  if (!isTime(notBefore) || !isTime(notAfter) || notBefore > notAfter)
    throw new Fault('has an invalid validity period');
  return {
    ...(commonName ? { commonName } : {}),
    ...(issuer ? { issuerName: issuer.slice(0, MAX_NAME_LENGTH) } : {}),
    serialNumber: serialNumber.toLowerCase().match(/../g)!.join(':'),
    fingerprint,
    notValidBefore: notBefore.toISOString(),
    notValidAfter: notAfter.toISOString(),
  };
}

/** Node returns `undefined` for an empty name, contrary to its type. */
const textOf = (name: string | undefined): string => name ?? '';

const isTime = (time: Date): boolean => time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9999;
