import type { JsonSchema } from '../../../platform/fields/fields.js';
import { anySchema } from '../../../platform/fields/schema.js';
import type { ReportTime } from './report-time.js';
import type { ReportValue } from './report-value.js';

/** State of a device at one time, as sent by the client. */
export interface ReceivedState {
  data: Readonly<Record<string, ReportValue>>;
  time?: ReportTime;
  meta?: unknown;
  flowVersion?: string;
}

export const REPORT_TIME: JsonSchema = {
  description:
    'Accepts ISO 8601, also as `{"$date": …}` (UTC if it has no offset), seconds or milliseconds since 1970, or a negative number of milliseconds relative to the current time. Defaults to the current time if omitted, invalid or before 1970-01-02, as sent by devices without a clock. Returns `400` for a day that its month does not have, such as `2026-02-31`.',
  example: '2026-06-13T04:00:00.000Z',
  oneOf: [
    { type: 'string' },
    { type: 'number' },
    {
      title: 'DateObject',
      type: 'object',
      additionalProperties: false,
      required: ['$date'],
      description: 'A time wrapped in an object.',
      properties: {
        $date: {
          type: 'string',
          description: 'Time in ISO 8601, in UTC if it has no offset.',
          example: '2026-06-13T04:00:00.000Z',
        },
      },
    },
  ],
};

export const DEVICE_STATE: JsonSchema = {
  title: 'DeviceState',
  type: 'object',
  additionalProperties: false,
  required: ['data'],
  description: 'State of a device at one time.',
  properties: {
    data: {
      type: 'object',
      additionalProperties: { oneOf: [{ type: 'number' }, { type: 'string' }, { type: 'boolean' }] },
      description: 'Reported values by attribute name.',
      example: { pressure: 2.4 },
    },
    time: REPORT_TIME,
    meta: anySchema('Additional data for workflows. It is not stored.', { line: 3 }),
    flowVersion: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'Version of the workflows to run. Defaults to the default version of each workflow.',
      example: 'develop',
    },
  },
};

export const DEVICE_STATE_OR_STATES: JsonSchema = {
  title: 'DeviceStateOrStates',
  description: 'State of a device at one time, or at several.',
  oneOf: [DEVICE_STATE, { type: 'array', items: DEVICE_STATE }],
};
