import { ApiSchema } from '@nestjs/swagger';
import {
  ID_EXAMPLE,
  ID_PATTERN,
  JsonField,
  StringField,
  NAME_PATTERN,
} from '../../../platform/fields/fields.js';
import { DEVICE_CLASSES, type DeviceClass } from './device.schemas.js';

/** How many names an answer has at most. */
export const MOST_NAMES = 1000;

const namesOf = (description: string, example: string) =>
  JsonField(
    { type: 'array', maxItems: MOST_NAMES, items: { type: 'string', pattern: NAME_PATTERN } },
    { column: false, required: true, description, example: [example] },
  );

@ApiSchema({ name: 'TagKeysResponse', description: 'Keys of tags.' })
export class TagKeysResponse {
  @namesOf('The keys, each once, in order of their bytes.', 'site')
  tagKeys: string[];
}

@ApiSchema({ name: 'TagValuesResponse', description: 'Values of tags of one key.' })
export class TagValuesResponse {
  @StringField({ column: false, required: true, description: 'The key.', example: 'site' })
  tagKey: string;

  @JsonField(
    {
      type: 'array',
      maxItems: MOST_NAMES,
      items: { type: 'string', minLength: 1, maxLength: 255 },
    },
    {
      column: false,
      required: true,
      description: 'The values, each once, in order of their bytes.',
      example: ['north'],
    },
  )
  tagValues: string[];
}

@ApiSchema({ name: 'AttributeNamesResponse', description: 'Names of attributes.' })
export class AttributeNamesResponse {
  @namesOf('The names, each once, in order of their bytes.', 'pressure')
  attributeNames: string[];
}

/** A device in short. */
export interface DeviceSummary {
  id: string;
  name: string;
  deviceClass: DeviceClass;
}

@ApiSchema({ name: 'DeviceNamesResponse', description: 'Devices by name.' })
export class DeviceNamesResponse {
  @JsonField(
    {
      type: 'array',
      maxItems: MOST_NAMES,
      items: {
        title: 'DeviceSummary',
        type: 'object',
        required: ['id', 'name', 'deviceClass'],
        description: 'A device in short.',
        properties: {
          id: { type: 'string', pattern: ID_PATTERN, description: 'Its id.', example: ID_EXAMPLE },
          name: {
            type: 'string',
            minLength: 1,
            maxLength: 255,
            description: 'Its name.',
            example: 'Pump 3',
          },
          deviceClass: { type: 'string', enum: DEVICE_CLASSES, description: 'What it is.' },
        },
      },
    },
    { column: false, required: true, description: 'The devices, sorted by name.' },
  )
  deviceSummary: DeviceSummary[];
}
