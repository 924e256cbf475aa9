import type { JsonSchema } from '../../../platform/fields/fields.js';
import type { ReportTime } from './report-time.js';
import type { ReportedValue } from './reported-value.js';

/** What a device says of itself at a time. */
export interface SentState {
  data: Readonly<Record<string, ReportedValue>>;
  time?: ReportTime;
  meta?: unknown;
  flowVersion?: string;
}

export const REPORT_TIME: JsonSchema = {
  description:
    'When it was so: ISO 8601, also as `{"$date": …}` (UTC where it names no offset); seconds or milliseconds since 1970; or, below 0, milliseconds before now. Now where it is absent or no time.',
  example: '2026-06-13T04:00:00.000Z',
  oneOf: [
    { type: 'string' },
    { type: 'number' },
    {
      title: 'DateObject',
      type: 'object',
      additionalProperties: false,
      required: ['$date'],
      description: 'A time as an object.',
      properties: {
        $date: { type: 'string', description: 'The time.', example: '2026-06-13T04:00:00.000Z' },
      },
    },
  ],
};

export const DEVICE_STATE: JsonSchema = {
  title: 'DeviceState',
  type: 'object',
  additionalProperties: false,
  required: ['data'],
  description: 'What a device says of itself at a time.',
  properties: {
    data: {
      type: 'object',
      additionalProperties: { oneOf: [{ type: 'number' }, { type: 'string' }, { type: 'boolean' }] },
      description: 'Values by the names of attributes.',
      example: { pressure: 2.4 },
    },
    time: REPORT_TIME,
    meta: { description: 'Whatever workflows are to know of it; it is not stored.', example: { line: 3 } },
    flowVersion: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'The version of workflows that is to run; the one that each runs by default.',
      example: 'develop',
    },
  },
};

export const DEVICE_STATE_OR_STATES: JsonSchema = {
  title: 'DeviceStateOrStates',
  description: 'What a device says of itself, at one time or at several.',
  oneOf: [DEVICE_STATE, { type: 'array', items: DEVICE_STATE }],
};
