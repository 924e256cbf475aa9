import type { JsonSchema } from '../../../platform/fields/fields.js';

/** A value to keep under a key; without one the key is removed. */
export interface FlowStorageEntry {
  key: string;
  value?: unknown;
}

export const FLOW_STORAGE_ENTRY: JsonSchema = {
  title: 'FlowStorageEntry',
  type: 'object',
  additionalProperties: false,
  required: ['key'],
  description: 'A value to keep under a key.',
  properties: {
    key: { type: 'string', minLength: 1, maxLength: 255, description: 'The key.', example: 'lastAlarm' },
    value: {
      description: 'The value: any JSON; absent, the key is removed.',
      example: { at: 1_795_243_305_122, temp: 99 },
    },
  },
};

export const FLOW_STORAGE_ENTRIES: JsonSchema = {
  title: 'FlowStorageEntries',
  type: 'object',
  additionalProperties: true,
  description: 'What a workflow stores: its values by their keys.',
  example: { lastAlarm: { at: 1_795_243_305_122, temp: 99 } },
};

export const FLOW_STORAGE_METADATA: JsonSchema = {
  title: 'FlowStorageMetadata',
  type: 'object',
  description: 'How much a workflow stores.',
  properties: {
    keysCount: { type: 'integer', minimum: 0, description: 'How many values.', example: 1 },
    memoryUsed: {
      type: 'integer',
      minimum: 0,
      description: 'How many bytes they have with their keys, as JSON.',
      example: 44,
    },
  },
};
