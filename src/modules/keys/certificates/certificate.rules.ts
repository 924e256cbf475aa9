import type { Certificate } from '../../../platform/certificates/certificate.js';
import { ValidationError } from '../../../lib/errors/errors.js';

export const FIELD = 'applicationCertificate.certificate';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

/** Returns the only certificate of a text. Throws 400 unless it is the certificate of a device. */
export function deviceCertificate([certificate, ...others]: readonly Certificate[]): Certificate {
  if (!certificate || others.length) throw new ValidationError(`${FIELD} must be exactly one certificate`);
  assertDeviceCertificate(certificate);
  return certificate;
}

/** Throws 400 unless devices can authenticate with the certificate. */
export function assertDeviceCertificate(certificate: Certificate): void {
  if (certificate.isAuthority && !certificate.isSelfSigned)
    throw new ValidationError(`${FIELD} must be the certificate of a device, not of an authority`);
  if (!certificate.extendedKeyUsage?.includes(CLIENT_AUTH))
    throw new ValidationError(`${FIELD} must have extendedKeyUsage with clientAuth`);
}
