import { ID_EXAMPLE, type JsonSchema, NAME_PATTERN } from '../../../platform/fields/fields.js';
import { LATEST_TIME } from '../../../platform/lists/list-query.js';
import { DEVICE_IDS, DEVICE_QUERY_BODY, DEVICE_TAGS } from '../devices/device-selection.js';
import { REPORT_TIME } from '../device-state/device-state.schemas.js';
import { AGGREGATION_TYPES } from './series-query.js';

const TIME_EXAMPLE = '2026-06-13T04:00:00.000Z';
const instant = (description: string) => ({
  type: 'string',
  format: 'date-time',
  description,
  example: TIME_EXAMPLE,
});
const TIME: JsonSchema = { ...REPORT_TIME, description: 'When it was; answers have ISO 8601 in UTC.' };
const VALUE: JsonSchema = { oneOf: [{ type: 'number' }, { type: 'string' }, { type: 'boolean' }] };
const DATA: JsonSchema = {
  type: 'object',
  description: 'Values by the names of attributes.',
  additionalProperties: VALUE,
  example: { pressure: 3.2 },
};

/** Reports of a device. */
export const DEVICE_STATES: JsonSchema = {
  title: 'DeviceStates',
  type: 'array',
  description: 'Reports of a device.',
  items: {
    title: 'DeviceStateEntry',
    type: 'object',
    description: 'What a device reported of one moment.',
    required: ['data'],
    properties: {
      time: TIME,
      data: DATA,
      flowVersion: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: 'The version of workflows that was to run; it is not kept.',
        example: '1.4.0',
      },
      meta: { description: 'What was sent along for workflows; it is not kept.' },
    },
  },
};

/** The newest values of a device. */
export const COMPOSITE_DEVICE_STATE: JsonSchema = {
  title: 'CompositeDeviceState',
  type: 'object',
  description: 'The newest value of each attribute, by name.',
  additionalProperties: {
    title: 'CompositeValue',
    type: 'object',
    description: 'A value with its time.',
    properties: { time: TIME, value: { ...VALUE, description: 'The value.', example: 3.2 } },
  },
  example: { pressure: { time: TIME_EXAMPLE, value: 3.2 } },
};

const aggregation = (types: readonly string[], description: string, example: unknown): JsonSchema => ({
  description,
  example,
  oneOf: [
    { type: 'string', enum: types },
    {
      title: 'Aggregation',
      type: 'object',
      additionalProperties: false,
      required: ['type'],
      description: 'An aggregation that takes no options.',
      properties: {
        type: { type: 'string', enum: types, description: 'Its name.', example: 'MEAN' },
        options: { type: 'object', additionalProperties: false, description: 'Nothing can be set.' },
      },
    },
    {
      title: 'TimeAtValue',
      type: 'object',
      additionalProperties: false,
      required: ['type', 'options'],
      description: 'For how many milliseconds of a step an attribute was at a value.',
      properties: {
        type: { type: 'string', enum: ['TIMEATVALUE'], description: 'Its name.', example: 'TIMEATVALUE' },
        options: {
          title: 'TimeAtValueOptions',
          type: 'object',
          additionalProperties: false,
          required: ['value'],
          description: 'Which value.',
          properties: {
            value: {
              description: 'The value; a text is read as the data type of the attribute.',
              oneOf: [{ type: 'string', maxLength: 255 }, { type: 'number' }, { type: 'boolean' }],
              example: true,
            },
          },
        },
      },
    },
  ],
});

const time = (description: string, example: number): JsonSchema => ({
  type: 'number',
  minimum: -LATEST_TIME,
  maximum: LATEST_TIME,
  description: `${description} Milliseconds since 1970, or from now where it is zero or negative.`,
  example,
});
const names = (description: string): JsonSchema => ({
  type: 'array',
  maxItems: 1000,
  items: { type: 'string', pattern: NAME_PATTERN },
  description,
  example: ['pressure'],
});
const SELECTION = {
  deviceIds: { ...DEVICE_IDS, description: 'Devices by id; those that are not there are left out.' },
  deviceTags: {
    ...DEVICE_TAGS,
    description: 'Devices that have one of these tags; a part that is absent matches any.',
  },
  deviceQuery: DEVICE_QUERY_BODY,
};
const ORDER = { type: 'string', enum: ['asc', 'desc'] };
const AGGREGATION = aggregation(
  AGGREGATION_TYPES,
  'What the values of a step become. `FIRST`, `LAST` and `COUNT` suit all data types. `MAX`, `MIN`, `MEDIAN`, `MEAN`, `SUM` and `STD_DEV` (of all values, not of a sample) are of numbers, and leave out attributes of other types. `NONE` answers points as they are. `TIMEATVALUE` is for how many milliseconds an attribute was at a value, each holding until the next; it is 0 in steps in which it was at others. Absent, it is `MEAN` where there is a `resolution` and `NONE` where there is none.',
  'MEAN',
);

/** What a time series is asked for. */
export const TIME_SERIES_QUERY: JsonSchema = {
  title: 'TimeSeriesQuery',
  type: 'object',
  additionalProperties: false,
  description: 'Which devices, which time, and what becomes of the values.',
  properties: {
    start: time('The beginning; it takes the place of `duration`.', -86_400_000),
    end: time('The end, which is not part of the time; absent, now.', 0),
    duration: {
      type: 'number',
      minimum: 1,
      maximum: LATEST_TIME,
      description: 'How long the time is, in milliseconds, where `start` is absent; absent, a day.',
      example: 86_400_000,
    },
    resolution: {
      type: 'integer',
      minimum: 1,
      maximum: LATEST_TIME,
      description:
        'The length of a step, in milliseconds. Steps begin at multiples of it since 1970, so that each point is in one step, whatever time is asked for. Absent, the time is one step.',
      example: 3_600_000,
    },
    aggregation: AGGREGATION,
    attributes: names('The attributes; those that a device does not have are left out. Absent, all of them.'),
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      description: 'How many points there are of a device at most, the first in `order`; absent, all.',
      example: 100,
    },
    order: { ...ORDER, default: 'asc', description: 'The order of points by time.', example: 'asc' },
    ...SELECTION,
  },
};

const POINT: JsonSchema = {
  title: 'TimeSeriesPoint',
  type: 'object',
  required: ['time', 'data'],
  description: 'A point of a series.',
  properties: {
    time: instant(
      'When it was; of a step, when that begins, which may be before `start`. Where the time is one step, it is `start`.',
    ),
    data: DATA,
  },
};

/** Time series by device. */
export const TIME_SERIES_DATA: JsonSchema = {
  title: 'TimeSeriesData',
  type: 'object',
  required: ['start', 'end', 'resolution', 'aggregation', 'limit', 'order', 'devices'],
  description: 'Time series by device.',
  properties: {
    start: instant('The beginning of the time.'),
    end: instant('Its end.'),
    resolution: {
      type: 'number',
      nullable: true,
      description: 'The length of a step, in milliseconds; `null` where the time is not cut.',
      example: 3_600_000,
    },
    aggregation: { ...AGGREGATION, description: 'What the values of a step became.' },
    limit: {
      type: 'number',
      nullable: true,
      description: 'How many points of a device were asked for; `null` for all.',
      example: 100,
    },
    order: { ...ORDER, description: 'The order of points by time.', example: 'asc' },
    devices: {
      type: 'object',
      description: 'The devices that were asked for, by id; also those without points.',
      additionalProperties: {
        title: 'TimeSeriesDevice',
        type: 'object',
        required: ['name', 'points', 'tags'],
        description: 'The series of a device.',
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 255, description: 'Its name.', example: 'Pump 3' },
          tags: {
            type: 'object',
            description: 'Its tags: values by key.',
            additionalProperties: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 255 } },
            example: { site: ['north'] },
          },
          points: { type: 'array', description: 'Its points, in order.', items: POINT },
        },
      },
    },
  },
};

/** What last values are asked for. */
export const LAST_VALUE_QUERY: JsonSchema = {
  title: 'LastValueQuery',
  type: 'object',
  additionalProperties: false,
  description: 'Which devices, and which of their values.',
  properties: {
    attribute: {
      type: 'string',
      pattern: NAME_PATTERN,
      description: 'The attribute; absent, all of them.',
      example: 'pressure',
    },
    end: time('The latest time that a value may be of; absent, now.', 0),
    ...SELECTION,
  },
};

/** Last values by device. */
export const LAST_VALUE_DATA: JsonSchema = {
  title: 'LastValueData',
  type: 'object',
  description: 'The last values of devices, by id; a device that has none is left out.',
  additionalProperties: {
    title: 'LastValue',
    type: 'object',
    required: ['data', 'time'],
    description: 'The last values of a device.',
    properties: { data: DATA, time: instant('When the newest of them was.') },
  },
  example: { [ID_EXAMPLE]: { data: { pressure: 3.2 }, time: TIME_EXAMPLE } },
};
