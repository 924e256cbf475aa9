import type { JsonSchema } from '../fields/fields.js';
import { PAYLOAD_TYPES, type PayloadType } from './payload-types.js';

const BY_CHANNEL = {
  title: 'PayloadsByChannel',
  type: 'object',
  additionalProperties: { type: 'number' },
  description: 'Payloads by source and channel, such as `device.mqtt`.',
  example: { 'public.rest': 12 },
};

/** Returns the schema of payloads by type and then by channel; types without payloads are omitted. */
export const payloadsByType = (
  title: string,
  description: string,
  types: readonly PayloadType[] = PAYLOAD_TYPES,
): JsonSchema & { properties: object } => ({
  title,
  type: 'object',
  description,
  properties: Object.fromEntries(types.map((type) => [type, BY_CHANNEL])),
  example: { deviceState: { 'device.mqtt': 1440 }, [types[0]!]: BY_CHANNEL.example },
});
