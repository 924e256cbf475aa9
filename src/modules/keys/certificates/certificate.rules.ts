import { certificatesOf, type Certificate } from '../../../platform/certificates/certificate.js';
import { ExtendedKeyUsageExtension } from '../../../lib/crypto/x509.js';
import { ValidationError } from '../../../lib/errors/errors.js';

export const FIELD = 'applicationCertificate.certificate';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

/** Parses a device certificate. Throws 400 if it is not valid. */
export function deviceCertificate(pem: string): Certificate {
  const [certificate, ...others] = certificatesOf(pem, FIELD);
  if (!certificate || others.length) throw new ValidationError(`${FIELD} must be exactly one certificate`);
  assertDeviceCertificate(certificate);
  return certificate;
}

/** Throws 400 unless devices can authenticate with the certificate. */
export function assertDeviceCertificate(certificate: Certificate): void {
  if (certificate.isAuthority && !certificate.isSelfSigned)
    throw new ValidationError(`${FIELD} must be the certificate of a device, not of an authority`);
  if (!certificate.extension(ExtendedKeyUsageExtension)?.usages.includes(CLIENT_AUTH))
    throw new ValidationError(`${FIELD} must have extendedKeyUsage with clientAuth`);
}
