import type { JsonSchema } from '../../../platform/fields/fields.js';
import { payloadsByType } from '../../../platform/payloads/payload-schemas.js';
import type { PayloadType } from '../../../platform/payloads/payload-types.js';

const count = (description: string, example: number) => ({
  type: 'integer',
  format: 'int64',
  minimum: 0,
  description,
  example,
});
const instant = (description: string, example: string) => ({
  type: 'string',
  format: 'date-time',
  description,
  example,
});

/** Steps of a time with what was counted in each. */
const steps = (title: string, step: string, description: string, counts: object): JsonSchema => ({
  title,
  type: 'object',
  description,
  properties: {
    start: instant('When the first step begins.', '2026-06-01T00:00:00.000Z'),
    end: instant('When the last step ends.', '2026-06-14T00:00:00.000Z'),
    counts: {
      type: 'array',
      description: 'Every step, oldest first.',
      items: {
        title: step,
        type: 'object',
        description: 'One step.',
        properties: { date: instant('When it begins.', '2026-06-13T00:00:00.000Z'), ...counts },
      },
    },
  },
});

export const PAYLOAD_STATS = payloadsByType(
  'PayloadStats',
  'Payloads of a time, by type and then by channel.',
);

export const PAYLOAD_COUNTS_BREAKDOWN = steps(
  'PayloadCountsBreakdown',
  'PayloadCountsStep',
  'Payloads in steps of time.',
  { value: count('How many payloads, or how many bytes.', 12) },
);

export const DEVICE_COUNTS = steps('DeviceCounts', 'DeviceCountsDay', 'Devices, day by day.', {
  created: count('Devices that came: made, restored, or with an application.', 3),
  deleted: count('Devices that went: deleted, or with an application.', 1),
  total: { ...count('Devices at the end of the day.', 42) },
});

export const NOTEBOOK_MINUTE_COUNTS = steps(
  'NotebookMinuteCounts',
  'NotebookMinuteCountsDay',
  'Runs of notebooks, day by day.',
  {
    minutes: count('Minutes that they took.', 0),
    completed: count('Runs that came to their end.', 0),
    canceled: count('Runs that somebody ended.', 0),
    errored: count('Runs that an error ended.', 0),
    timeout: count('Runs that took too long.', 0),
  },
);

/** What a device gets and sends. */
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
  description: 'Payloads of a device in a time, by type.',
  properties: Object.fromEntries(DEVICE_PAYLOADS.map((type) => [type, count('How many.', 12)])),
};
