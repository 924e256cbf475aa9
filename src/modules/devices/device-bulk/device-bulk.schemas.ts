import { ID_EXAMPLE, ID_PATTERN, type JsonSchema, NAME_PATTERN } from '../../../platform/fields/fields.js';
import { ATTRIBUTE_FIELDS, DEVICE_CLASSES, TAGS, type StoredAttribute } from '../devices/device.schemas.js';

/** One step of a change of many devices. */
export interface UpdateOperation {
  operation: 'set' | 'remove' | 'add';
  target: string;
  attributeName?: string;
  tagKey?: string;
  value?: unknown;
}

const text = (description: string, example: string, maxLength: number, minLength?: number): JsonSchema => ({
  type: 'string',
  maxLength,
  ...(minLength === undefined ? {} : { minLength }),
  description,
  example,
});
const nameOf = (description: string, example: string): JsonSchema => ({
  type: 'string',
  pattern: NAME_PATTERN,
  description,
  example,
});
const attributeName = nameOf("The attribute's name.", 'pressure');
const tagKey = nameOf("The tag's key.", 'site');
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

/** What a step is called and told of, what it names besides its target, and what it sets. */
interface StepParts {
  title: string;
  description: string;
  named?: Record<string, JsonSchema>;
  value?: JsonSchema;
}

function step(
  operation: UpdateOperation['operation'],
  targets: readonly string[],
  { title, description: told, named = {}, value }: StepParts,
): JsonSchema {
  return {
    title,
    type: 'object',
    additionalProperties: false,
    required: ['operation', 'target', ...Object.keys(named), ...(value ? ['value'] : [])],
    description: told,
    properties: {
      operation: {
        type: 'string',
        enum: [operation],
        description: 'What is done with the target.',
        example: operation,
      },
      target: { type: 'string', enum: targets, description: 'What is changed.', example: targets[0] },
      ...named,
      ...(value ? { value } : {}),
    },
  };
}

/** The steps of a change, in the order in which they are made. */
export const UPDATE_OPERATIONS: JsonSchema = {
  type: 'array',
  maxItems: 25,
  items: {
    oneOf: [
      step('set', ['name'], {
        title: 'SetDeviceName',
        description: 'Renames the devices.',
        value: text('The new name.', 'Pump 3', 255, 1),
      }),
      step('set', ['deviceClass'], {
        title: 'SetDeviceClass',
        description: 'Changes the class of the devices.',
        value: {
          type: 'string',
          enum: DEVICE_CLASSES,
          description: 'The new class.',
          example: 'standalone',
        },
      }),
      step('set', ['description'], {
        title: 'SetDeviceDescription',
        description: 'Changes the description of the devices.',
        value: text('The new description.', 'Feeds the north tank', 32767),
      }),
      step('set', ['gatewayId', 'parentId'], {
        title: 'SetDeviceGatewayOrParent',
        description: 'Puts the devices behind a gateway, or below a parent.',
        value: {
          type: 'string',
          pattern: ID_PATTERN,
          description: 'The ID of the gateway or parent.',
          example: ID_EXAMPLE,
        },
      }),
      step('set', ['systemInterval'], {
        title: 'SetDeviceSystemInterval',
        description: 'Changes the interval of systems.',
        value: {
          type: 'integer',
          minimum: 5,
          maximum: 3600,
          description: 'The seconds between two reports of a system.',
          example: 60,
        },
      }),
      step('set', ['keepDuplicates'], {
        title: 'SetDeviceKeepDuplicates',
        description: 'Changes what the devices have as `keepDuplicates`.',
        value: {
          type: 'boolean',
          description:
            'Stored for clients that know it. Every report is kept, and of one millisecond the last, whatever it says.',
          example: true,
        },
      }),
      step('set', ['tag'], {
        title: 'SetDeviceTag',
        description: 'Gives the devices a tag, in place of those with its key.',
        value: TAG,
      }),
      step('set', ['attributeTag'], {
        title: 'SetAttributeTag',
        description: 'Gives an attribute a tag, in place of the one with its key.',
        named: { attributeName },
        value: TAG,
      }),
      step('set', ['attributeDescription'], {
        title: 'SetAttributeDescription',
        description: 'Changes the description of an attribute.',
        named: { attributeName },
        value: text('The new description.', 'Bar, at the outlet', 32767),
      }),
      step('set', ['attributeContentType'], {
        title: 'SetAttributeContentType',
        description: 'Changes the media type of the values of an attribute.',
        named: { attributeName: nameOf("The attribute's name.", 'photo') },
        value: text('The new media type.', 'image/png', 64, 1),
      }),
      step('set', ['attributeName'], {
        title: 'SetAttributeName',
        description: 'Renames an attribute.',
        named: { attributeName: nameOf('Its name until now.', 'pressure') },
        value: nameOf('The new name, unique within the device.', 'outletPressure'),
      }),
      step('remove', ['description', 'parentId'], {
        title: 'RemoveDeviceDescriptionOrParent',
        description: 'Removes the description of the devices, or takes them from below their parent.',
      }),
      step('remove', ['tag'], {
        title: 'RemoveDeviceTag',
        description: 'Removes the tags of a key from the devices.',
        named: { tagKey },
      }),
      step('remove', ['attribute'], {
        title: 'RemoveAttribute',
        description: 'Removes an attribute from the devices that have it.',
        named: { attributeName },
      }),
      step('remove', ['attributeTag'], {
        title: 'RemoveAttributeTag',
        description: 'Removes a tag from an attribute.',
        named: { attributeName, tagKey },
      }),
      step('remove', ['attributeDescription'], {
        title: 'RemoveAttributeDescription',
        description: 'Removes the description of an attribute.',
        named: { attributeName },
      }),
      step('add', ['attribute'], {
        title: 'AddAttribute',
        description: 'Gives the devices an attribute.',
        value: ATTRIBUTE,
      }),
      step('add', ['attributeSystem'], {
        title: 'AddSystemAttribute',
        description: 'Gives the devices an attribute, as the target `attribute` does.',
        value: ATTRIBUTE,
      }),
    ],
  },
};

export type BulkAttribute = StoredAttribute;
