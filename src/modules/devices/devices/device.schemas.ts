import { ID_EXAMPLE, ID_PATTERN, type JsonSchema, NAME_PATTERN } from '../../../platform/fields/fields.js';
import { TAG_FILTER } from '../../applications/applications/application.schemas.js';
import { unsampled } from '../../../platform/fields/schema.js';

export const DEVICE_CLASSES = [
  'standalone',
  'gateway',
  'peripheral',
  'floating',
  'edgeCompute',
  'system',
  'embedded',
] as const;
export type DeviceClass = (typeof DEVICE_CLASSES)[number];

export const DATA_TYPES = ['string', 'number', 'gps', 'boolean', 'blob'] as const;
export type DataType = (typeof DATA_TYPES)[number];

export const AGGREGATIONS = [
  'FIRST',
  'LAST',
  'COUNT',
  'MAX',
  'MIN',
  'MEDIAN',
  'MEAN',
  'SUM',
  'STD_DEV',
] as const;

/** Tag of a device. A device can have several tags with the same key. */
export interface DeviceTag {
  key: string;
  value: string;
}

/** Tag to search for; an omitted part matches any. */
export interface TagFilter {
  key?: string;
  value?: string;
}

/** Aggregation of child attributes into an attribute of a system. */
export interface SystemAttribute {
  aggregation?: (typeof AGGREGATIONS)[number];
  aggregationOptions?: readonly object[];
  childAttributes?: readonly {
    name: string;
    mode: 'all' | 'whitelist' | 'blacklist';
    deviceIds?: readonly string[];
    deviceTags?: readonly TagFilter[];
  }[];
}

/** Attribute as stored in the row of its device. */
export interface StoredAttribute {
  name: string;
  dataType: DataType;
  contentType?: string;
  description?: string;
  attributeTags?: Readonly<Record<string, string>>;
  system?: SystemAttribute;
}

/** Tags to search for. */
export const TAG_FILTERS: JsonSchema = { type: 'array', maxItems: 100, items: TAG_FILTER };

/** Maximum number of tags per device. */
export const MAX_TAGS = 100;

export const TAGS: JsonSchema = {
  type: 'array',
  maxItems: MAX_TAGS,
  items: {
    title: 'Tag',
    type: 'object',
    additionalProperties: false,
    required: ['key', 'value'],
    description: 'A tag of a device.',
    properties: {
      key: { type: 'string', pattern: NAME_PATTERN, description: 'Key of the tag.', example: 'site' },
      value: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: 'Value of the tag.',
        example: 'north',
      },
    },
  },
};

const SYSTEM: JsonSchema = {
  title: 'SystemAttribute',
  type: 'object',
  additionalProperties: false,
  description:
    'Aggregation that produces the attribute; for systems only. At each `systemInterval`, the system aggregates the newest values of its direct children. It reports the result if a child has reported since the last time or the result has changed.',
  properties: {
    aggregation: {
      type: 'string',
      enum: AGGREGATIONS,
      description:
        'How the values of the children are combined. Defaults to `MEAN` for numbers, otherwise to `LAST`. `MAX`, `MIN`, `MEDIAN`, `MEAN`, `SUM` and `STD_DEV` (population standard deviation) ignore values that are not numbers. `FIRST` and `LAST` are determined by the time of the values, and ignore text of more than 256 characters.',
    },
    aggregationOptions: {
      type: 'array',
      maxItems: 0,
      items: { type: 'object', additionalProperties: false },
      description: 'Must be empty: no options are supported yet.',
      example: [],
    },
    childAttributes: {
      type: 'array',
      maxItems: 256,
      description: 'Attributes of direct children to aggregate.',
      items: {
        title: 'ChildAttribute',
        type: 'object',
        additionalProperties: false,
        required: ['name', 'mode'],
        description: 'Attribute of the children of a system.',
        properties: {
          name: {
            type: 'string',
            pattern: NAME_PATTERN,
            description: 'Name of the attribute in the child devices.',
            example: 'flow',
          },
          mode: {
            type: 'string',
            enum: ['all', 'whitelist', 'blacklist'],
            description:
              'Which children to include: all, only those in `deviceIds` and `deviceTags`, or all except those.',
          },
          deviceIds: {
            type: 'array',
            maxItems: 1000,
            items: { type: 'string', pattern: ID_PATTERN },
            description: 'IDs of the devices that `mode` includes or excludes.',
            example: [ID_EXAMPLE],
          },
          deviceTags: {
            ...TAG_FILTERS,
            description: 'Tags of the devices that `mode` includes or excludes.',
          },
        },
      },
    },
  },
};

export const ATTRIBUTE_FIELDS = {
  name: {
    type: 'string',
    pattern: NAME_PATTERN,
    description: 'Name of the attribute, unique within the device.',
    example: 'pressure',
  },
  dataType: {
    type: 'string',
    enum: DATA_TYPES,
    description: 'Data type of the attribute values.',
    example: 'number',
  },
  contentType: unsampled({
    type: 'string',
    maxLength: 64,
    description: 'Media type of the values, for attributes of the type `blob`.',
    example: 'image/png',
  }),
  description: {
    type: 'string',
    maxLength: 32767,
    description: 'Description of the attribute.',
    example: 'Bar, at the outlet',
  },
  attributeTags: {
    type: 'object',
    maxProperties: 100,
    description: 'Text values by key, for use by programs. Keys can contain letters, digits, `_` and `-`.',
    additionalProperties: { type: 'string', minLength: 1, maxLength: 255 },
    example: { unit: 'bar' },
  },
  system: unsampled(SYSTEM),
};

/** Maximum number of attributes per device. */
export const MAX_ATTRIBUTES = 256;

export const ATTRIBUTES: JsonSchema = {
  type: 'array',
  maxItems: MAX_ATTRIBUTES,
  items: {
    title: 'StoredAttribute',
    type: 'object',
    additionalProperties: false,
    required: ['name', 'dataType'],
    description: 'An attribute that a device reports.',
    properties: ATTRIBUTE_FIELDS,
  },
};

export const CONNECTION_INFO: JsonSchema = {
  title: 'ConnectionInfo',
  type: 'object',
  description: 'Connection status of the device.',
  properties: {
    connected: {
      type: 'integer',
      enum: [1, 0],
      nullable: true,
      description:
        '`1` if the device is connected, `0` if it is disconnected, `null` if the status was never reported.',
      example: 1,
    },
    time: {
      type: 'string',
      format: 'date-time',
      description: 'Time of the reported status, in UTC.',
      example: '2026-06-13T04:00:00.000Z',
    },
  },
};

const { items: ATTRIBUTE } = ATTRIBUTES as { items: JsonSchema };

/** Tags in responses: an array, or lists of values by key with `tagsAsObject`. */
export const TAGS_RESPONSE: JsonSchema = {
  oneOf: [TAGS, { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }],
};

/** Attributes in responses: an array, or an object by name with `attributesAsObject`. */
export const ATTRIBUTES_RESPONSE: JsonSchema = {
  oneOf: [ATTRIBUTES, { type: 'object', additionalProperties: ATTRIBUTE }],
};
