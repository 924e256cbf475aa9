import type { JsonSchema } from '../fields/fields.js';

/** What a certificate says, as answers show it. */
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
  description: 'What a certificate says.',
  properties: {
    commonName: text('Whose it is, where its subject has a common name.', 'Pump 1'),
    issuerName: text(
      'Who signed it: their common name, or their whole name where they have none.',
      'Field CA',
    ),
    serialNumber: text('Its number, among those that its issuer signed.', '21:d4:ce:f0', 1),
    fingerprint: text('SHA-1 of the whole of it.', 'FF:4A:09:B1', 1),
    notValidBefore: time('From when on it is valid.', '2026-11-22T09:01:11.000Z'),
    notValidAfter: time('Until when it is valid.', '2049-08-13T09:01:11.000Z'),
  },
  required: ['serialNumber', 'fingerprint', 'notValidBefore', 'notValidAfter'],
};
