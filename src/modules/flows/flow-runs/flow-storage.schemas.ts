import type { JsonSchema } from '../../../platform/fields/fields.js';
import { anySchema } from '../../../platform/fields/schema.js';

/** Value to store under a key. The key is deleted if there is no value. */
export interface FlowStorageEntry {
  key: string;
  value?: unknown;
}

export const FLOW_STORAGE_ENTRY: JsonSchema = {
  title: 'FlowStorageEntry',
  type: 'object',
  additionalProperties: false,
  required: ['key'],
  description: 'A value to store under a key.',
  properties: {
    key: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'Key of the value, unique within the workflow.',
      example: 'lastAlarm',
    },
    value: anySchema('Any JSON value. If omitted, the key is deleted.', { at: 1_795_243_305_122, temp: 99 }),
  },
};

export const FLOW_STORAGE_ENTRIES: JsonSchema = {
  title: 'FlowStorageEntries',
  type: 'object',
  additionalProperties: true,
  description: 'Stored values of a workflow, by key.',
  example: { lastAlarm: { at: 1_795_243_305_122, temp: 99 } },
};

export const FLOW_STORAGE_METADATA: JsonSchema = {
  title: 'FlowStorageMetadata',
  type: 'object',
  description: 'Storage usage of a workflow.',
  properties: {
    keysCount: { type: 'integer', minimum: 0, description: 'Number of stored values.', example: 1 },
    memoryUsed: {
      type: 'integer',
      minimum: 0,
      description: 'Total size of keys and values as JSON, in bytes.',
      example: 44,
    },
  },
};
