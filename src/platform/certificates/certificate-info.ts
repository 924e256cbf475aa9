import type { JsonSchema } from '../fields/fields.js';
import { textSchema, timeSchema } from '../fields/schema.js';

/** Data of a certificate, as responses show it. */
export interface CertificateInfo {
  commonName?: string;
  issuerName?: string;
  serialNumber: string;
  fingerprint: string;
  notValidBefore: string;
  notValidAfter: string;
}

export const CERTIFICATE_INFO: JsonSchema = {
  title: 'X509Info',
  type: 'object',
  description: 'Data read from an X.509 certificate.',
  properties: {
    commonName: textSchema('Common name of the subject. Absent if the subject has none.', 'Pump 1', {
      maxLength: 1024,
    }),
    issuerName: textSchema(
      'Common name of the issuer, or its full distinguished name if it has no common name.',
      'Field CA',
      { maxLength: 1024 },
    ),
    serialNumber: textSchema(
      'Serial number assigned by the issuer, in hexadecimal with colons.',
      '21:d4:ce:f0',
      { minLength: 1, maxLength: 1024 },
    ),
    fingerprint: textSchema(
      'SHA-1 fingerprint of the certificate, in hexadecimal with colons.',
      'FF:4A:09:B1',
      { minLength: 1, maxLength: 1024 },
    ),
    notValidBefore: timeSchema('Start of the validity period.', '2026-11-22T09:01:11.000Z'),
    notValidAfter: timeSchema('End of the validity period.', '2049-08-13T09:01:11.000Z'),
  },
  required: ['serialNumber', 'fingerprint', 'notValidBefore', 'notValidAfter'],
};
