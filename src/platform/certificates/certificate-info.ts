import type { JsonSchema } from '../fields/fields.js';

/** Data of a certificate, as responses show it. */
export interface CertificateInfo {
  commonName?: string;
  issuerName?: string;
  serialNumber: string;
  fingerprint: string;
  notValidBefore: string;
  notValidAfter: string;
}

const text = (description: string, example: string, minLength?: number): JsonSchema => ({
  type: 'string',
  ...(minLength ? { minLength } : {}),
  maxLength: 1024,
  description,
  example,
});
const time = (description: string, example: string): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  description,
  example,
});

export const CERTIFICATE_INFO: JsonSchema = {
  title: 'X509Info',
  type: 'object',
  description: 'Data read from an X.509 certificate.',
  properties: {
    commonName: text('Common name of the subject. Absent if the subject has none.', 'Pump 1'),
    issuerName: text(
      'Common name of the issuer, or its full distinguished name if it has no common name.',
      'Field CA',
    ),
    serialNumber: text('Serial number assigned by the issuer, in hexadecimal with colons.', '21:d4:ce:f0', 1),
    fingerprint: text('SHA-1 fingerprint of the certificate, in hexadecimal with colons.', 'FF:4A:09:B1', 1),
    notValidBefore: time('Start of the validity period.', '2026-11-22T09:01:11.000Z'),
    notValidAfter: time('End of the validity period.', '2049-08-13T09:01:11.000Z'),
  },
  required: ['serialNumber', 'fingerprint', 'notValidBefore', 'notValidAfter'],
};
