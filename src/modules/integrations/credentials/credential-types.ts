import type { JsonSchema } from '../../../platform/fields/fields.js';

export const CREDENTIAL_TYPES = [
  'aws',
  'azure',
  'gcp',
  'http',
  'sendgrid',
  'twilio',
  'loggly',
  'jwt',
  'whatsapp',
  'sql',
  'mongodb',
  'mailgun',
  'snowflake',
  'git',
  'datadog',
  'certificateKeyPair',
] as const;
export type CredentialType = (typeof CREDENTIAL_TYPES)[number];

/** Properties of the credentials of a type. */
export interface ConfigDefinition {
  about: string;
  /** Properties that callers set and responses include. */
  open?: JsonSchema;
  /** Properties that callers set and no response includes. */
  secret?: JsonSchema;
  /** Properties that callers set, which are neither secret nor returned. */
  writable?: JsonSchema;
  /** Read-only properties, derived from the others. */
  derived?: JsonSchema;
  /** Properties that decide where, as whom and how the secret is sent. A change of one requires the secret again. */
  destination: readonly string[];
  /** Properties required at creation. */
  required: readonly string[];
  /** Also required at creation, but the API contract expresses it as alternatives; `assertComplete` enforces it. */
  requiredOnCreate?: readonly string[];
  /** Properties that every response includes. */
  returned: readonly string[];
}
