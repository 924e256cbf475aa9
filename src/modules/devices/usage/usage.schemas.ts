import type { JsonSchema } from '../../../platform/fields/fields.js';
import { timeSchema } from '../../../platform/fields/schema.js';
import { payloadsByType } from '../../../platform/payloads/payload-schemas.js';
import type { PayloadType } from '../../../platform/payloads/payload-types.js';

const count = (description: string, example: number) => ({
  type: 'integer',
  format: 'int64',
  minimum: 0,
  description,
  example,
});

/** Returns the schema of the steps of a time range, with the counts of each step. */
const steps = (title: string, step: string, description: string, counts: object): JsonSchema => ({
  title,
  type: 'object',
  description,
  properties: {
    start: timeSchema('Start of the first step.', '2026-06-01T00:00:00.000Z'),
    end: timeSchema('End of the last step, exclusive.', '2026-06-14T00:00:00.000Z'),
    counts: {
      type: 'array',
      description: 'All steps, oldest first.',
      items: {
        title: step,
        type: 'object',
        description: 'Counts of one step.',
        properties: { date: timeSchema('Start of the step.', '2026-06-13T00:00:00.000Z'), ...counts },
      },
    },
  },
});

export const PAYLOAD_STATS = payloadsByType('PayloadStats', 'Payloads of a time range by type and channel.');

export const PAYLOAD_COUNTS_BREAKDOWN = steps(
  'PayloadCountsBreakdown',
  'PayloadCountsStep',
  'Payload counts in steps.',
  { value: count('Number of payloads, or their size in bytes.', 12) },
);

export const DEVICE_COUNTS = steps('DeviceCounts', 'DeviceCountsDay', 'Device counts by day.', {
  created: count('Number of devices created, restored or added with an application.', 3),
  deleted: count('Number of devices deleted or removed with an application.', 1),
  total: { ...count('Number of devices at the end of the day.', 42) },
});

export const NOTEBOOK_MINUTE_COUNTS = steps(
  'NotebookMinuteCounts',
  'NotebookMinuteCountsDay',
  'Notebook runs by day.',
  {
    minutes: count('Duration of the runs in minutes.', 0),
    completed: count('Number of completed runs.', 0),
    canceled: count('Number of runs canceled by a user.', 0),
    errored: count('Number of runs that ended with an error.', 0),
    timeout: count('Number of runs that timed out.', 0),
  },
);

/** Types of payloads that a device receives and sends. */
export const DEVICE_PAYLOADS = [
  'deviceCommand',
  'deviceConnect',
  'deviceDisconnect',
  'deviceState',
  'mqttIn',
  'mqttOut',
] as const satisfies readonly PayloadType[];
export type DevicePayload = (typeof DEVICE_PAYLOADS)[number];

export const DEVICE_PAYLOAD_COUNTS: JsonSchema = {
  title: 'DevicePayloadCounts',
  type: 'object',
  description: 'Payloads of a device within a time range, by type.',
  properties: Object.fromEntries(
    DEVICE_PAYLOADS.map((type) => [type, count('Number of payloads of this type.', 12)]),
  ),
};
