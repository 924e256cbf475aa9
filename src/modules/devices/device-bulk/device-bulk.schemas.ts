import { ID_EXAMPLE, ID_PATTERN, type JsonSchema, NAME_PATTERN } from '../../../platform/fields/fields.js';
import { textSchema } from '../../../platform/fields/schema.js';
import { ATTRIBUTE_FIELDS, DEVICE_CLASSES, TAGS, type StoredAttribute } from '../devices/device.schemas.js';

/** One step of a bulk update. */
export interface UpdateOperation {
  operation: 'set' | 'remove' | 'add';
  target: string;
  attributeName?: string;
  tagKey?: string;
  value?: unknown;
}
const attributeName = textSchema('Name of the attribute to change.', 'pressure', { pattern: NAME_PATTERN });
const tagKey = textSchema('Key of the tags to remove.', 'site', { pattern: NAME_PATTERN });

const TAG = (TAGS as { items: JsonSchema }).items;
const { name, dataType, contentType, description, attributeTags, system } = ATTRIBUTE_FIELDS;
const ATTRIBUTE = {
  title: 'BulkAttribute',
  type: 'object',
  additionalProperties: false,
  required: ['name', 'dataType'],
  description: 'Attribute to add to the devices.',
  properties: { name, dataType, contentType, description, attributeTags, system },
};

/** Title and description of a step, the properties that it requires in addition to its target, and its value. */
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
        description: 'Operation to perform on the target.',
        example: operation,
      },
      target: {
        type: 'string',
        enum: targets,
        description: 'Part of the device that the step changes.',
        example: targets[0],
      },
      ...named,
      ...(value ? { value } : {}),
    },
  };
}

/** Steps of a bulk update, in the order in which they are applied. */
export const UPDATE_OPERATIONS: JsonSchema = {
  type: 'array',
  maxItems: 25,
  items: {
    oneOf: [
      step('set', ['name'], {
        title: 'SetDeviceName',
        description: 'Renames the devices.',
        value: textSchema('New name of the devices.', 'Pump 3', { maxLength: 255, minLength: 1 }),
      }),
      step('set', ['deviceClass'], {
        title: 'SetDeviceClass',
        description: 'Changes the class of the devices.',
        value: {
          title: 'DeviceClass',
          type: 'string',
          enum: DEVICE_CLASSES,
          description: 'New class of the devices.',
          example: 'standalone',
        },
      }),
      step('set', ['description'], {
        title: 'SetDeviceDescription',
        description: 'Changes the description of the devices.',
        value: textSchema('New description of the devices.', 'Feeds the north tank', { maxLength: 32767 }),
      }),
      step('set', ['gatewayId', 'parentId'], {
        title: 'SetDeviceGatewayOrParent',
        description: 'Assigns the devices to a gateway or a parent.',
        value: {
          type: 'string',
          pattern: ID_PATTERN,
          description: 'ID of the gateway or parent.',
          example: ID_EXAMPLE,
        },
      }),
      step('set', ['systemInterval'], {
        title: 'SetDeviceSystemInterval',
        description: 'Changes the reporting interval of systems.',
        value: {
          type: 'integer',
          minimum: 5,
          maximum: 3600,
          description: 'Seconds between two reports of the system.',
          example: 60,
        },
      }),
      step('set', ['keepDuplicates'], {
        title: 'SetDeviceKeepDuplicates',
        description: 'Sets `keepDuplicates` of the devices.',
        value: {
          type: 'boolean',
          description:
            'Stored for clients that use it; it does not affect which reports are kept. Every report is kept, and of several reports with the same millisecond the last one wins.',
          example: true,
        },
      }),
      step('set', ['tag'], {
        title: 'SetDeviceTag',
        description: 'Sets a tag on the devices, replacing tags with the same key.',
        value: TAG,
      }),
      step('set', ['attributeTag'], {
        title: 'SetAttributeTag',
        description: 'Sets a tag on an attribute, replacing the tag with the same key.',
        named: { attributeName },
        value: TAG,
      }),
      step('set', ['attributeDescription'], {
        title: 'SetAttributeDescription',
        description: 'Changes the description of an attribute.',
        named: { attributeName },
        value: textSchema('New description of the attribute.', 'Bar, at the outlet', { maxLength: 32767 }),
      }),
      step('set', ['attributeContentType'], {
        title: 'SetAttributeContentType',
        description: 'Changes the media type of the values of an attribute.',
        named: {
          attributeName: textSchema('Name of the attribute to change.', 'photo', { pattern: NAME_PATTERN }),
        },
        value: textSchema('New media type of the attribute values.', 'image/png', {
          maxLength: 64,
          minLength: 1,
        }),
      }),
      step('set', ['attributeName'], {
        title: 'SetAttributeName',
        description: 'Renames an attribute.',
        named: {
          attributeName: textSchema('Current name of the attribute.', 'pressure', { pattern: NAME_PATTERN }),
        },
        value: textSchema('New name of the attribute, unique within the device.', 'outletPressure', {
          pattern: NAME_PATTERN,
        }),
      }),
      step('remove', ['description', 'parentId'], {
        title: 'RemoveDeviceDescriptionOrParent',
        description: 'Removes the description of the devices, or detaches them from their parent.',
      }),
      step('remove', ['tag'], {
        title: 'RemoveDeviceTag',
        description: 'Removes all tags with a key from the devices.',
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
        description: 'Adds an attribute to the devices.',
        value: ATTRIBUTE,
      }),
      step('add', ['attributeSystem'], {
        title: 'AddSystemAttribute',
        description: 'Adds an attribute to the devices; equivalent to the target `attribute`.',
        value: ATTRIBUTE,
      }),
    ],
  },
};

export type BulkAttribute = StoredAttribute;
