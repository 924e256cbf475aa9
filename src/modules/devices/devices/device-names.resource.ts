import { ApiSchema } from '@nestjs/swagger';
import {
  ID_EXAMPLE,
  ID_PATTERN,
  JsonField,
  StringField,
  NAME_PATTERN,
} from '../../../platform/fields/fields.js';
import { DEVICE_CLASSES, type DeviceClass } from './device.schemas.js';

/** Maximum number of names per response. */
export const MAX_NAMES = 1000;

const namesOf = (description: string, example: string) =>
  JsonField(
    { type: 'array', maxItems: MAX_NAMES, items: { type: 'string', pattern: NAME_PATTERN } },
    { column: false, required: true, description, example: [example] },
  );

@ApiSchema({ name: 'TagKeysResponse', description: 'Tag keys used by devices.' })
export class TagKeysResponse {
  @namesOf('Distinct tag keys, sorted by their bytes.', 'site')
  tagKeys: string[];
}

@ApiSchema({ name: 'TagValuesResponse', description: 'Values of one tag key used by devices.' })
export class TagValuesResponse {
  @StringField({
    column: false,
    required: true,
    description: 'Tag key whose values are listed.',
    example: 'site',
  })
  tagKey: string;

  @JsonField(
    {
      type: 'array',
      maxItems: MAX_NAMES,
      items: { type: 'string', minLength: 1, maxLength: 255 },
    },
    {
      column: false,
      required: true,
      description: 'Distinct tag values, sorted by their bytes.',
      example: ['north'],
    },
  )
  tagValues: string[];
}

@ApiSchema({ name: 'AttributeNamesResponse', description: 'Names of attributes used by devices.' })
export class AttributeNamesResponse {
  @namesOf('Distinct attribute names, sorted by their bytes.', 'pressure')
  attributeNames: string[];
}

/** Summary of a device. */
export interface DeviceSummary {
  id: string;
  name: string;
  deviceClass: DeviceClass;
}

@ApiSchema({ name: 'DeviceNamesResponse', description: 'Summaries of devices, sorted by name.' })
export class DeviceNamesResponse {
  @JsonField(
    {
      type: 'array',
      maxItems: MAX_NAMES,
      items: {
        title: 'DeviceSummary',
        type: 'object',
        required: ['id', 'name', 'deviceClass'],
        description: 'Summary of a device.',
        properties: {
          id: {
            type: 'string',
            pattern: ID_PATTERN,
            description: 'Unique ID of the device.',
            example: ID_EXAMPLE,
          },
          name: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            description: 'Display name of the device.',
            example: 'Pump 3',
          },
          deviceClass: { type: 'string', enum: DEVICE_CLASSES, description: 'Class of the device.' },
        },
      },
    },
    { column: false, required: true, description: 'Summaries of the devices, sorted by name.' },
  )
  deviceSummary: DeviceSummary[];
}
