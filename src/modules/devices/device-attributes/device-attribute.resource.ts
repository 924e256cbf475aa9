import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { ChoiceField, IdField, JsonField, StringField } from '../../../platform/fields/fields.js';
import { pageOf, UNPAGED } from '../../../platform/lists/page.js';
import {
  ATTRIBUTE_FIELDS,
  DATA_TYPES,
  type DataType,
  type StoredAttribute,
  type SystemAttribute,
} from '../devices/device.schemas.js';

const { name, contentType, description, attributeTags, system } = ATTRIBUTE_FIELDS;

/** Attribute that a device reports. It is stored in the device's row; it has no separate row. */
@ApiSchema({ name: 'DeviceAttribute', description: 'An attribute that a device reports.' })
export class DeviceAttribute implements StoredAttribute {
  @IdField({
    required: true,
    column: false,
    description: 'ID of the application that the device belongs to.',
  })
  applicationId: string;

  @IdField({ required: true, column: false, description: 'ID of the device that reports the attribute.' })
  deviceId: string;

  @StringField({
    required: true,
    column: false,
    pattern: name.pattern,
    description: name.description,
    example: name.example,
  })
  name: string;

  @ChoiceField(DATA_TYPES, {
    required: true,
    column: false,
    description: 'Data type of the attribute values. It cannot be changed after the attribute is created.',
    example: 'number',
  })
  dataType: DataType;

  @StringField({
    column: false,
    maxLength: contentType.maxLength,
    sampled: false,
    description: contentType.description,
    example: contentType.example,
  })
  contentType?: string;

  @StringField({
    column: false,
    maxLength: description.maxLength,
    description: description.description,
    example: description.example,
  })
  description?: string;

  @JsonField(attributeTags, {
    column: false,
    description: attributeTags.description,
    example: attributeTags.example,
  })
  attributeTags?: Record<string, string>;

  @JsonField(system, {
    column: false,
    sampled: false,
    description:
      'For attributes of a `system` device: how the value is calculated from attributes of its child devices.',
  })
  system?: SystemAttribute;
}

@ApiSchema({
  name: 'DeviceAttributePatch',
  description: 'Changes to an attribute. Omitted properties keep their value.',
})
export class DeviceAttributePatch extends PartialType(
  PickType(DeviceAttribute, ['name', 'contentType', 'description', 'attributeTags', 'system']),
) {}

@ApiSchema({ name: 'DeviceAttributePost', description: 'Properties of a new attribute.' })
export class DeviceAttributePost extends PickType(DeviceAttribute, [
  'name',
  'dataType',
  'contentType',
  'description',
  'attributeTags',
  'system',
]) {}

export const DeviceAttributes = pageOf(
  DeviceAttribute,
  'DeviceAttributes',
  ['applicationId', 'deviceId', 'totalCount'],
  UNPAGED,
);
