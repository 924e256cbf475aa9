import { type JsonSchema, NAME_PATTERN } from '../../../platform/fields/fields.js';
import { anySchema, timeSchema } from '../../../platform/fields/schema.js';
import { MAX_TIME } from '../../../platform/lists/list-query.js';
import { DEVICE_IDS, DEVICE_QUERY_BODY, DEVICE_TAGS } from '../devices/device-selection.js';
import { REPORT_TIME } from '../device-state/device-state.schemas.js';
import { AGGREGATION_TYPES } from './series-query.js';
import { exampleId } from '../../../platform/fields/example-id.js';

const TIME_EXAMPLE = '2026-06-13T04:00:00.000Z';
const TIME: JsonSchema = {
  ...REPORT_TIME,
  description: 'Time of the report. Responses use ISO 8601 in UTC.',
};
const VALUE: JsonSchema = { oneOf: [{ type: 'number' }, { type: 'string' }, { type: 'boolean' }] };
const DATA: JsonSchema = {
  type: 'object',
  description: 'Reported values by attribute name.',
  additionalProperties: VALUE,
  example: { pressure: 3.2 },
};

/** Reports of a device. */
export const DEVICE_STATES: JsonSchema = {
  title: 'DeviceStates',
  type: 'array',
  description: 'Reports of a device, sorted by time.',
  items: {
    title: 'DeviceStateEntry',
    type: 'object',
    description: 'Values that a device reported for one point in time.',
    required: ['data'],
    properties: {
      time: TIME,
      data: DATA,
      flowVersion: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: 'Version of the workflows to run. It is not stored.',
        example: '1.4.0',
      },
      meta: anySchema('Additional data for workflows. It is not stored.', { line: 3 }),
    },
  },
};

/** The newest values of a device. */
export const COMPOSITE_DEVICE_STATE: JsonSchema = {
  title: 'CompositeDeviceState',
  type: 'object',
  description: 'Newest value of each attribute, by attribute name.',
  additionalProperties: {
    title: 'CompositeValue',
    type: 'object',
    description: 'Value of an attribute and the time it was reported.',
    properties: {
      time: TIME,
      value: { ...VALUE, description: 'Newest value of the attribute.', example: 3.2 },
    },
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
      description: 'An aggregation without options.',
      properties: {
        type: { type: 'string', enum: types, description: 'Name of the aggregation.', example: 'MEAN' },
        options: {
          type: 'object',
          additionalProperties: false,
          description: 'Must be empty: this aggregation has no options.',
        },
      },
    },
    {
      title: 'TimeAtValue',
      type: 'object',
      additionalProperties: false,
      required: ['type', 'options'],
      description: 'Number of milliseconds in each step during which an attribute had a value.',
      properties: {
        type: {
          type: 'string',
          enum: ['TIMEATVALUE'],
          description: 'Name of the aggregation.',
          example: 'TIMEATVALUE',
        },
        options: {
          title: 'TimeAtValueOptions',
          type: 'object',
          additionalProperties: false,
          required: ['value'],
          description: 'Value whose duration is measured.',
          properties: {
            value: {
              description: 'Value to measure. Text is parsed according to the data type of the attribute.',
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
  minimum: -MAX_TIME,
  maximum: MAX_TIME,
  description: `${description} In milliseconds since 1970; zero and negative values are relative to the current time.`,
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
  deviceIds: { ...DEVICE_IDS, description: 'IDs of the devices. Unknown IDs are ignored.' },
  deviceTags: {
    ...DEVICE_TAGS,
    description: 'Selects devices that have any of these tags. An omitted `key` or `value` matches any.',
  },
  deviceQuery: DEVICE_QUERY_BODY,
};
const ORDER = { title: 'TimeSeriesOrder', type: 'string', enum: ['asc', 'desc'] };
const AGGREGATION = aggregation(
  AGGREGATION_TYPES,
  'How the values of a step are aggregated. `FIRST`, `LAST` and `COUNT` support all data types. `MAX`, `MIN`, `MEDIAN`, `MEAN`, `SUM` and `STD_DEV` (population standard deviation) support numbers only; attributes of other types are omitted. `NONE` returns the points without aggregation. `TIMEATVALUE` returns the number of milliseconds during which an attribute had a value; each value holds until the next one. It is 0 in steps in which the attribute only had other values. Defaults to `MEAN` if `resolution` is set, otherwise to `NONE`.',
  'MEAN',
);

/** Schema of a time series query. */
export const TIME_SERIES_QUERY: JsonSchema = {
  title: 'TimeSeriesQuery',
  type: 'object',
  additionalProperties: false,
  description: 'Devices, time range and aggregation of a time series.',
  properties: {
    start: time('Start of the time range, inclusive; overrides `duration`.', -86_400_000),
    end: time('End of the time range, exclusive. Defaults to the current time.', 0),
    duration: {
      type: 'number',
      minimum: 1,
      maximum: MAX_TIME,
      description: 'Length of the time range in milliseconds, if `start` is omitted. Defaults to one day.',
      example: 86_400_000,
    },
    resolution: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_TIME,
      description:
        'Length of a step in milliseconds. Steps begin at multiples of it since 1970, so that each point belongs to the same step for any time range. If omitted, the time range is a single step.',
      example: 3_600_000,
    },
    aggregation: AGGREGATION,
    attributes: names(
      'Names of the attributes. Attributes that a device does not have are ignored. Defaults to all attributes.',
    ),
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      description:
        'Maximum number of points per device; the first ones in `order` are returned. Unlimited by default.',
      example: 100,
    },
    order: { ...ORDER, default: 'asc', description: 'Sort order of the points by time.', example: 'asc' },
    ...SELECTION,
  },
};

const POINT: JsonSchema = {
  title: 'TimeSeriesPoint',
  type: 'object',
  required: ['time', 'data'],
  description: 'Values of a device at one time or in one step.',
  properties: {
    time: timeSchema(
      'Time of the point. For a step, the time at which it begins, which may be before `start`. If the time range is a single step, it is `start`.',
    ),
    data: DATA,
  },
};

/** Schema of a response with time series by device. */
export const TIME_SERIES_DATA: JsonSchema = {
  title: 'TimeSeriesData',
  type: 'object',
  required: ['start', 'end', 'resolution', 'aggregation', 'limit', 'order', 'devices'],
  description: 'Time series by device, with the parameters of the query.',
  properties: {
    start: timeSchema('Start of the time range.'),
    end: timeSchema('End of the time range, exclusive.'),
    resolution: {
      type: 'number',
      nullable: true,
      description: 'Length of a step in milliseconds; `null` if the time range is not divided into steps.',
      example: 3_600_000,
    },
    aggregation: { ...AGGREGATION, description: 'Aggregation applied to the values of each step.' },
    limit: {
      type: 'number',
      nullable: true,
      description: 'Maximum number of points per device; `null` if unlimited.',
      example: 100,
    },
    order: { ...ORDER, description: 'Sort order of the points by time.', example: 'asc' },
    devices: {
      type: 'object',
      description: 'Selected devices by ID, including devices without points.',
      example: {
        [exampleId('device')]: {
          name: 'Pump 3',
          tags: { site: ['north'] },
          points: [{ time: TIME_EXAMPLE, data: { pressure: 3.2 } }],
        },
      },
      additionalProperties: {
        title: 'TimeSeriesDevice',
        type: 'object',
        required: ['name', 'points', 'tags'],
        description: 'Time series of a device.',
        properties: {
          name: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            description: 'Display name of the device.',
            example: 'Pump 3',
          },
          tags: {
            type: 'object',
            description: 'Tags of the device: lists of values by key.',
            additionalProperties: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 255 } },
            example: { site: ['north'] },
          },
          points: {
            type: 'array',
            description: 'Points of the device, in the requested order.',
            items: POINT,
          },
        },
      },
    },
  },
};

/** Schema of a query for last values. */
export const LAST_VALUE_QUERY: JsonSchema = {
  title: 'LastValueQuery',
  type: 'object',
  additionalProperties: false,
  description: 'Devices and attribute whose last values are returned.',
  properties: {
    attribute: {
      type: 'string',
      pattern: NAME_PATTERN,
      description: 'Name of the attribute. Defaults to all attributes.',
      example: 'pressure',
    },
    end: time('Latest time of a value, inclusive. Defaults to the current time.', 0),
    ...SELECTION,
  },
};

/** Schema of a response with last values by device. */
export const LAST_VALUE_DATA: JsonSchema = {
  title: 'LastValueData',
  type: 'object',
  description: 'Last values of devices by device ID. Devices without values are omitted.',
  additionalProperties: {
    title: 'LastValue',
    type: 'object',
    required: ['data', 'time'],
    description: 'Last values of a device.',
    properties: { data: DATA, time: timeSchema('Time of the newest of these values.') },
  },
  example: { [exampleId('device')]: { data: { pressure: 3.2 }, time: TIME_EXAMPLE } },
};
