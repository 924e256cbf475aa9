import type { CertificateInfo } from './certificate-info.js';

/** An X.509 certificate, as `Certificates` reads it. */
export interface Certificate {
  info: CertificateInfo;
  der: Uint8Array;
  /** SHA-256 of its DER encoding, in hexadecimal. */
  digest: string;
  isAuthority: boolean;
  /**
   * Whether it is signed by its own key. `openssl req -x509` marks such certificates as authorities, even if they are for
   * a server or a device.
   */
  isSelfSigned: boolean;
  /** Names of subject and issuer as text. They are equal if OpenSSL considers them encodings of the same name. */
  subject: string;
  issuer: string;
  notBefore: Date;
  notAfter: Date;
  /** Domains for which the certificate is valid, in lower case, some with the wildcard label `*`. */
  domains: string[];
  basicConstraints?: { ca: boolean; critical: boolean };
  /** Flags as in `KeyUsageFlags`. */
  keyUsage?: { flags: number; critical: boolean };
  extendedKeyUsage?: string[];
}

export const isValidAt = ({ notBefore, notAfter }: Certificate, time: Date): boolean =>
  notBefore <= time && time <= notAfter;

/** Returns the name of a certificate of a PEM text in messages. */
export const numbered = (at: string, index: number): string => `${at}: certificate ${index + 1}`;
