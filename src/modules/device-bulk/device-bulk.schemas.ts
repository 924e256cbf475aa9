import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../platform/fields.js';
import { NAME_PATTERN } from '../applications/application.schemas.js';
import { ATTRIBUTE_FIELDS, DEVICE_CLASSES, TAGS, type StoredAttribute } from '../devices/device.schemas.js';

/** One step of a change of many devices. */
export interface UpdateOperation {
  operation: 'set' | 'remove' | 'add';
  target: string;
  attributeName?: string;
  tagKey?: string;
  value?: unknown;
}

const NAME = { type: 'string', pattern: NAME_PATTERN };
const TEXT = (maxLength: number, minLength?: number) => ({ type: 'string', maxLength, minLength });
const TAG = (TAGS as { items: JsonSchema }).items;
const { name, dataType, contentType, description, attributeTags, system } = ATTRIBUTE_FIELDS;
const ATTRIBUTE = {
  title: 'BulkAttribute',
  type: 'object',
  additionalProperties: false,
  required: ['name', 'dataType'],
  description: 'An attribute that devices get.',
  properties: { name, dataType, contentType, description, attributeTags, system },
};

function step(
  operation: string,
  targets: readonly string[],
  value?: object,
  more: string[] = [],
): JsonSchema {
  const named = Object.fromEntries(more.map((property) => [property, NAME]));
  return {
    type: 'object',
    additionalProperties: false,
    required: ['operation', 'target', ...more, ...(value ? ['value'] : [])],
    properties: {
      operation: { type: 'string', enum: [operation] },
      target: { type: 'string', enum: targets },
      ...named,
      ...(value ? { value: JSON.parse(JSON.stringify(value)) as object } : {}),
    },
  };
}

/** The steps of a change, in the order in which they are made. */
export const UPDATE_OPERATIONS: JsonSchema = {
  type: 'array',
  maxItems: 25,
  items: {
    oneOf: [
      step('set', ['name'], TEXT(255, 1)),
      step('set', ['deviceClass'], { type: 'string', enum: DEVICE_CLASSES }),
      step('set', ['description'], TEXT(32767)),
      step('set', ['gatewayId', 'parentId'], { type: 'string', pattern: ID_PATTERN, example: ID_EXAMPLE }),
      step('set', ['systemInterval'], { type: 'integer', minimum: 5, maximum: 3600 }),
      step('set', ['keepDuplicates'], { type: 'boolean' }),
      step('set', ['tag'], TAG),
      step('set', ['attributeTag'], TAG, ['attributeName']),
      step('set', ['attributeDescription'], TEXT(32767), ['attributeName']),
      step('set', ['attributeContentType'], TEXT(64, 1), ['attributeName']),
      step('set', ['attributeName'], NAME, ['attributeName']),
      step('remove', ['description', 'parentId']),
      step('remove', ['tag'], undefined, ['tagKey']),
      step('remove', ['attribute'], undefined, ['attributeName']),
      step('remove', ['attributeTag'], undefined, ['attributeName', 'tagKey']),
      step('remove', ['attributeDescription'], undefined, ['attributeName']),
      step('add', ['attribute'], ATTRIBUTE),
      step('add', ['attributeSystem'], ATTRIBUTE),
    ],
  },
};

export type BulkAttribute = StoredAttribute;
