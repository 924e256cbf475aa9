import { createHash, X509Certificate, type KeyObject } from 'node:crypto';
import type { Type } from '@nestjs/common';
import { ValidationError } from '../../lib/errors/errors.js';
import type { CertificateInfo } from './certificate-info.js';
import { readPem } from '../../lib/crypto/pem.js';
import {
  SubjectAlternativeNameExtension,
  X509Certificate as Parsed,
  type Extension,
} from '../../lib/crypto/x509.js';

/** Extensions that may be critical, because this class or the device connection enforces them. */
const SUPPORTED_EXTENSIONS: ReadonlySet<string> = new Set([
  '2.5.29.15', // keyUsage
  '2.5.29.17', // subjectAltName
  '2.5.29.19', // basicConstraints
  '2.5.29.37', // extKeyUsage
]);
const MAX_COMMON_NAME_LENGTH = 255;
const MAX_NAME_LENGTH = 1024;
const MIN_MODULUS_BITS = 2048;

/** A certificate read by two parsers: OpenSSL, and one that exposes extensions. */
export class Certificate {
  readonly info: CertificateInfo;
  /** SHA-256 of its DER encoding, in hexadecimal. */
  readonly digest: string;
  readonly isAuthority: boolean;
  /** Names of subject and issuer as text. They are equal if OpenSSL considers them encodings of the same name. */
  readonly subject: string;
  readonly issuer: string;
  readonly notAfter: Date;

  private constructor(
    private readonly native: X509Certificate,
    private readonly parsed: Parsed,
  ) {
    const { raw, subject, issuer, ca, fingerprint, publicKey } = native;
    this.digest = createHash('sha256').update(raw).digest('hex');
    [this.subject, this.issuer] = [textOf(subject), textOf(issuer)];
    this.isAuthority = ca;
    this.notAfter = parsed.notAfter;
    this.info = infoOf(parsed, fingerprint);
    const { modulusLength = MIN_MODULUS_BITS } = publicKey.asymmetricKeyDetails ?? {};
    if (modulusLength < MIN_MODULUS_BITS)
      throw new Fault(`has an RSA key of fewer than ${MIN_MODULUS_BITS} bits`);
    const unknown = parsed.extensions.find(
      ({ critical, type }) => critical && !SUPPORTED_EXTENSIONS.has(type),
    );
    if (unknown) throw new Fault(`has the critical extension ${unknown.type}, which is not supported`);
  }

  /** Parses a certificate in DER. Throws a `400` error that refers to it as `name`. */
  static read(der: Buffer, name: string): Certificate {
    try {
      const native = new X509Certificate(der);
      if (!native.raw.equals(der)) throw new Fault('has data after its end');
      return new Certificate(native, new Parsed(new Uint8Array(der)));
    } catch (error) {
      throw new ValidationError(
        `${name} ${error instanceof Fault ? error.message : 'is not a readable X.509 certificate'}`,
      );
    }
  }

  isValidAt(time: Date): boolean {
    return this.parsed.notBefore <= time && time <= this.notAfter;
  }

  extension<T extends Extension>(type: Type<T>): T | undefined {
    return this.parsed.extensions.find((extension): extension is T => extension instanceof type);
  }

  /** Domains for which the certificate is valid, in lower case, some with the wildcard label `*`. */
  get domains(): string[] {
    const names = this.extension(SubjectAlternativeNameExtension)?.names.items ?? [];
    return names.filter(({ type }) => type === 'dns').map(({ value }) => value.toLowerCase());
  }

  /**
   * Whether it is signed by its own key. `openssl req -x509` marks such certificates as authorities, even if they are
   * for a server or a device.
   */
  get isSelfSigned(): boolean {
    return this.subject === this.issuer && this.native.verify(this.native.publicKey);
  }

  /** Returns whether the key belongs to this certificate. */
  hasKey(key: KeyObject): boolean {
    return this.native.checkPrivateKey(key);
  }

  /** Returns whether this certificate names the authority as its issuer and carries its signature. */
  isSignedBy({ native }: Certificate): boolean {
    return this.native.checkIssued(native) && this.native.verify(native.publicKey);
  }
}

/** Returns the certificates of a PEM text. Errors (`400`) identify each by its number. */
export function certificatesOf(pem: string, at: string): Certificate[] {
  return readPem(pem, at).map((der, i) => Certificate.read(der, numbered(at, i)));
}

/** Returns the name of a certificate of a PEM text in messages. */
export const numbered = (at: string, index: number): string => `${at}: certificate ${index + 1}`;

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
