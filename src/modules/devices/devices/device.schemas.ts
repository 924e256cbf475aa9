import { ID_EXAMPLE, ID_PATTERN, type JsonSchema, NAME_PATTERN } from '../../../platform/fields/fields.js';
import { TAG_FILTER } from '../../applications/applications/application.schemas.js';

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

/** A tag of a device. A device may have several of one key. */
export interface DeviceTag {
  key: string;
  value: string;
}

/** A tag to look for; a part that is absent matches any. */
export interface TagFilter {
  key?: string;
  value?: string;
}

/** What an attribute of a system makes of those of the devices below it. */
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

/** Something that a device reports, as its row has it. */
export interface StoredAttribute {
  name: string;
  dataType: DataType;
  contentType?: string;
  description?: string;
  attributeTags?: Readonly<Record<string, string>>;
  system?: SystemAttribute;
}

/** Tags to look for. */
export const TAG_FILTERS: JsonSchema = { type: 'array', maxItems: 100, items: TAG_FILTER };

/** How many tags a device has at most. */
export const MOST_TAGS = 100;

export const TAGS: JsonSchema = {
  type: 'array',
  maxItems: MOST_TAGS,
  items: {
    title: 'Tag',
    type: 'object',
    additionalProperties: false,
    required: ['key', 'value'],
    description: 'A tag of a device.',
    properties: {
      key: { type: 'string', pattern: NAME_PATTERN, description: 'Its key.', example: 'site' },
      value: { type: 'string', minLength: 1, maxLength: 255, description: 'Its value.', example: 'north' },
    },
  },
};

const SYSTEM: JsonSchema = {
  title: 'SystemAttribute',
  type: 'object',
  additionalProperties: false,
  description:
    'Of a system: what the attribute is made of. Once in its `systemInterval` a system sums up the newest values of the devices directly below it, and reports what they come to, where something was reported since or it is another.',
  properties: {
    aggregation: {
      type: 'string',
      enum: AGGREGATIONS,
      description:
        'How the values of the devices below it become one; absent, `MEAN` of numbers, else `LAST`. `MAX`, `MIN`, `MEDIAN`, `MEAN`, `SUM` and `STD_DEV` (of all values, not of a sample) leave out what is no number. `FIRST` and `LAST` go by when values were reported, and leave out texts of more than 256 characters.',
    },
    aggregationOptions: {
      type: 'array',
      maxItems: 0,
      items: { type: 'object', additionalProperties: false },
      description: 'Nothing can be set yet.',
    },
    childAttributes: {
      type: 'array',
      maxItems: 256,
      description: 'The attributes of devices directly below it that it is made of.',
      items: {
        title: 'ChildAttribute',
        type: 'object',
        additionalProperties: false,
        required: ['name', 'mode'],
        description: 'An attribute of devices below a system.',
        properties: {
          name: { type: 'string', pattern: NAME_PATTERN, description: 'Its name.', example: 'flow' },
          mode: {
            type: 'string',
            enum: ['all', 'whitelist', 'blacklist'],
            description: 'Of which devices: all, those of `deviceIds` and `deviceTags`, or all but those.',
          },
          deviceIds: {
            type: 'array',
            maxItems: 1000,
            items: { type: 'string', pattern: ID_PATTERN },
            description: 'The devices that `mode` includes or leaves out.',
            example: [ID_EXAMPLE],
          },
          deviceTags: { ...TAG_FILTERS, description: 'The same, by tag.' },
        },
      },
    },
  },
};

export const ATTRIBUTE_FIELDS = {
  name: {
    type: 'string',
    pattern: NAME_PATTERN,
    description: 'Its name, unique within the device.',
    example: 'pressure',
  },
  dataType: { type: 'string', enum: DATA_TYPES, description: 'What its values are.', example: 'number' },
  contentType: {
    type: 'string',
    maxLength: 64,
    description: 'Of a blob: the media type of its values.',
    example: 'image/png',
  },
  description: {
    type: 'string',
    maxLength: 32767,
    description: 'What it is.',
    example: 'Bar, at the outlet',
  },
  attributeTags: {
    type: 'object',
    maxProperties: 100,
    description: 'Text by key, for programs; keys are letters, digits, `_` and `-`.',
    additionalProperties: { type: 'string', minLength: 1, maxLength: 255 },
    example: { unit: 'bar' },
  },
  system: SYSTEM,
};

/** How many attributes a device has at most. */
export const MOST_ATTRIBUTES = 256;

export const ATTRIBUTES: JsonSchema = {
  type: 'array',
  maxItems: MOST_ATTRIBUTES,
  items: {
    title: 'StoredAttribute',
    type: 'object',
    additionalProperties: false,
    required: ['name', 'dataType'],
    description: 'Something that a device reports.',
    properties: ATTRIBUTE_FIELDS,
  },
};

export const CONNECTION_INFO: JsonSchema = {
  title: 'ConnectionInfo',
  type: 'object',
  description: 'Whether the device is connected.',
  properties: {
    connected: {
      type: 'integer',
      enum: [1, 0],
      nullable: true,
      description: '1 while it is connected, 0 since it is not, `null` where it was never heard of.',
      example: 1,
    },
    time: {
      type: 'string',
      format: 'date-time',
      description: 'Since when.',
      example: '2026-06-13T04:00:00.000Z',
    },
  },
};

const { items: ATTRIBUTE } = ATTRIBUTES as { items: JsonSchema };

/** Tags as they are shown: as they are written, or with `tagsAsObject` lists of values by key. */
export const TAGS_SHOWN: JsonSchema = {
  oneOf: [TAGS, { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }],
};

/** Attributes as they are shown: as they are written, or with `attributesAsObject` by name. */
export const ATTRIBUTES_SHOWN: JsonSchema = {
  oneOf: [ATTRIBUTES, { type: 'object', additionalProperties: ATTRIBUTE }],
};
