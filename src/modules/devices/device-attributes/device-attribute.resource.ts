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

/** Something that a device reports. It is part of the device's row, and has no row of its own. */
@ApiSchema({ name: 'DeviceAttribute', description: 'Something that a device reports.' })
export class DeviceAttribute implements StoredAttribute {
  @IdField({ required: true, column: false, description: 'The application of the device.' })
  applicationId: string;

  @IdField({ required: true, column: false, description: 'The device.' })
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
    description: 'What its values are; fixed once it is made.',
    example: 'number',
  })
  dataType: DataType;

  @StringField({
    column: false,
    maxLength: contentType.maxLength,
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

  @JsonField(system, { column: false, description: 'Of a system: what the attribute is made of.' })
  system?: SystemAttribute;
}

@ApiSchema({
  name: 'DeviceAttributePatch',
  description: 'Changes to an attribute; what is absent stays as it is.',
})
export class DeviceAttributePatch extends PartialType(
  PickType(DeviceAttribute, ['name', 'contentType', 'description', 'attributeTags', 'system']),
) {}

@ApiSchema({ name: 'DeviceAttributePost', description: 'A new attribute.' })
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
