import { ApiSchema } from '@nestjs/swagger';
import { ListenersBody } from '../../../platform/callbacks/asked-listeners.js';
import {
  BooleanField,
  ChoiceField,
  ID_EXAMPLE,
  JsonField,
  type JsonSchema,
  NAME_PATTERN,
} from '../../../platform/fields/fields.js';
import { LATEST_TIME } from '../../../platform/lists/list-query.js';
import {
  DEVICE_IDS,
  DEVICE_QUERY_BODY,
  DEVICE_TAGS,
  type DeviceSelection,
} from '../devices/device-selection.js';

export const MOMENT: JsonSchema = { type: 'number', maximum: LATEST_TIME };
export const ATTRIBUTE_NAMES: JsonSchema = {
  type: 'array',
  maxItems: 256,
  items: { type: 'string', pattern: NAME_PATTERN },
};

const flag = (description: string, byDefault: boolean) => ({
  type: 'boolean',
  default: byDefault,
  description,
});
const OPTIONS = {
  includeID: flag('Whether rows begin with the id of their device, in a file of several devices.', true),
  includeDate: flag('Whether rows have their time as ISO 8601, too.', true),
  includeBlobData: flag('Whether attributes of the type `blob` are in it, as they were reported.', false),
};

/** What an export has in it, where its file is that of one device. */
export const DEVICE_EXPORT_OPTIONS: JsonSchema = {
  title: 'DeviceDataExportOptions',
  type: 'object',
  description: 'What the file has in it.',
  properties: OPTIONS,
};

/** What an export has in it, and in how many files. */
export const DEVICES_EXPORT_OPTIONS: JsonSchema = {
  title: 'DevicesDataExportOptions',
  type: 'object',
  description: 'What the file has in it.',
  properties: {
    ...OPTIONS,
    filePerDevice: flag('Whether each device has a file of its own, in a zip file.', false),
  },
};

/** Options as callers give them; what is absent is the default. */
export interface AskedOptions {
  includeID?: boolean;
  includeDate?: boolean;
  includeBlobData?: boolean;
  filePerDevice?: boolean;
}

/** The time that data is from. */
export class TimedBody extends ListenersBody {
  @JsonField(MOMENT, {
    column: false,
    description: 'From when on: milliseconds since 1970, 0 for now, less for before now.',
    default: 1,
    example: -86_400_000,
  })
  start?: number;

  @JsonField(MOMENT, {
    column: false,
    description: 'Until when, in the same form; that moment itself is left out.',
    default: 0,
    example: 0,
  })
  end?: number;
}

@ApiSchema({
  name: 'DeviceDataExport',
  description: 'Which data of a device is exported, and who hears of it.',
})
export class DeviceDataExport extends TimedBody {
  @JsonField(ATTRIBUTE_NAMES, {
    column: false,
    description: 'The attributes, in the order of the columns; absent, all.',
    example: ['pressure'],
  })
  attributes?: string[];

  @JsonField(DEVICE_EXPORT_OPTIONS, {
    column: false,
    description: 'What the file has in it.',
    example: { includeDate: true },
  })
  options?: AskedOptions;
}

@ApiSchema({
  name: 'DevicesDataExport',
  description: 'Which data of devices is exported, and who hears of it.',
})
export class DevicesDataExport extends TimedBody implements DeviceSelection {
  @JsonField(DEVICE_IDS, { column: false, description: 'Devices by their ids.', example: [ID_EXAMPLE] })
  deviceIds?: string[];

  @JsonField(DEVICE_TAGS, {
    column: false,
    description: 'Devices by their tags.',
    example: [{ key: 'site', value: 'north' }],
  })
  deviceTags?: { key?: string; value?: string }[];

  @JsonField(DEVICE_QUERY_BODY, {
    column: false,
    description: 'Devices by an advanced query.',
    example: { deviceClass: 'standalone' },
  })
  deviceQuery?: object;

  @JsonField(ATTRIBUTE_NAMES, {
    column: false,
    description: 'The attributes, in the order of the columns; absent, all that the devices have.',
    example: ['pressure'],
  })
  attributes?: string[];

  @JsonField(DEVICES_EXPORT_OPTIONS, {
    column: false,
    description: 'What the file has in it.',
    example: { filePerDevice: true },
  })
  options?: AskedOptions;
}

@ApiSchema({ name: 'DevicesExportPost', description: 'Which devices are exported, and who hears of it.' })
export class DevicesExportPost extends ListenersBody {
  @ChoiceField(['csv', 'json'], { column: false, description: 'The form of the file.', default: 'csv' })
  format?: 'csv' | 'json';

  @JsonField(DEVICE_QUERY_BODY, {
    column: false,
    description: 'Which devices, by an advanced query; absent, all.',
    example: { deviceClass: 'standalone' },
  })
  query?: object;
}

@ApiSchema({
  name: 'DevicesExportPayloadCountPost',
  description: 'Of which devices and which time payloads are counted, and who hears of it.',
})
export class DevicesExportPayloadCountPost extends ListenersBody {
  @JsonField(MOMENT, {
    column: false,
    description:
      'From when on: milliseconds since 1970, 0 for now, less for before now; absent, 30 days ago.',
    default: -2_592_000_000,
    example: -86_400_000,
  })
  start?: number;

  @JsonField(MOMENT, {
    column: false,
    description: 'Until when, in the same form.',
    default: 0,
    example: 0,
  })
  end?: number;

  @JsonField(DEVICE_QUERY_BODY, {
    column: false,
    description: 'Which devices, by an advanced query; absent, all.',
    example: { deviceClass: 'standalone' },
  })
  query?: object;
}

@ApiSchema({
  name: 'DevicesRemoveDataPost',
  description: 'Which data of devices is removed, and who hears of it.',
})
export class DevicesRemoveDataPost extends TimedBody {
  @JsonField(DEVICE_QUERY_BODY, {
    column: false,
    required: true,
    description: 'Which devices, by an advanced query; `{}` for all.',
    example: { deviceClass: 'standalone' },
  })
  query: object;

  @JsonField(ATTRIBUTE_NAMES, {
    column: false,
    nullable: true,
    description: 'The attributes whose values are removed; absent or `null`, all.',
    example: ['pressure'],
  })
  attributes?: string[] | null;

  @BooleanField({ column: false, description: 'Whether commands are kept.', default: false })
  keepCommandHistory?: boolean;

  @BooleanField({ column: false, description: 'Whether the log of connections is kept.', default: false })
  keepConnectionHistory?: boolean;
}
