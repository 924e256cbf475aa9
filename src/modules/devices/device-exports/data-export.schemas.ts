import { ApiSchema } from '@nestjs/swagger';
import { callbackSchema } from '../../../platform/callbacks/callback-schema.js';
import { ListenersBody } from '../../../platform/callbacks/listener-fields.js';
import {
  BooleanField,
  ChoiceField,
  ID_EXAMPLE,
  JsonField,
  type JsonSchema,
  NAME_PATTERN,
} from '../../../platform/fields/fields.js';
import { countSchema, optionSchema } from '../../../platform/fields/schema.js';
import { MAX_TIME } from '../../../platform/lists/list-query.js';
import {
  DEVICE_IDS,
  DEVICE_QUERY_BODY,
  DEVICE_TAGS,
  type DeviceSelection,
} from '../devices/device-selection.js';

export const TIMESTAMP: JsonSchema = { type: 'number', maximum: MAX_TIME };
export const ATTRIBUTE_NAMES: JsonSchema = {
  type: 'array',
  maxItems: 256,
  items: { type: 'string', pattern: NAME_PATTERN },
};

const OPTIONS = {
  includeID: optionSchema('Whether rows start with the device ID, in a file with several devices.', true),
  includeDate: optionSchema('Whether rows also contain their time in ISO 8601.', true),
  includeBlobData: optionSchema('Whether attributes of the type `blob` are included, as reported.'),
};

/** Options of an export of a single device. */
export const DEVICE_EXPORT_OPTIONS: JsonSchema = {
  title: 'DeviceDataExportOptions',
  type: 'object',
  description: 'Content of the exported file.',
  properties: OPTIONS,
};

/** Options of an export of several devices. */
export const DEVICES_EXPORT_OPTIONS: JsonSchema = {
  title: 'DevicesDataExportOptions',
  type: 'object',
  description: 'Content of the exported file, and number of files.',
  properties: {
    ...OPTIONS,
    filePerDevice: optionSchema('Whether to export a zip file with a separate file for each device.'),
  },
};

/** Options as specified by the caller. Omitted options have their default. */
export interface RequestedOptions {
  includeID?: boolean;
  includeDate?: boolean;
  includeBlobData?: boolean;
  filePerDevice?: boolean;
}

/** Time range of the data. */
export class TimedBody extends ListenersBody {
  @JsonField(TIMESTAMP, {
    column: false,
    description:
      'Start of the time range, inclusive. In milliseconds since 1970; zero and negative values are relative to the current time.',
    default: 1,
    example: -86_400_000,
  })
  start?: number;

  @JsonField(TIMESTAMP, {
    column: false,
    description: 'End of the time range, exclusive, in the same format as `start`.',
    default: 0,
    example: 0,
  })
  end?: number;
}

@ApiSchema({
  name: 'DeviceDataExport',
  description: 'Data of a device to export, and recipients of the notification.',
})
export class DeviceDataExport extends TimedBody {
  @JsonField(ATTRIBUTE_NAMES, {
    column: false,
    description: 'Names of the attributes, in the order of the columns. Defaults to all attributes.',
    example: ['pressure'],
  })
  attributes?: string[];

  @JsonField(DEVICE_EXPORT_OPTIONS, {
    column: false,
    description: 'Content of the exported file.',
    example: { includeDate: true },
  })
  options?: RequestedOptions;
}

@ApiSchema({
  name: 'DevicesDataExport',
  description: 'Data of devices to export, and recipients of the notification.',
})
export class DevicesDataExport extends TimedBody implements DeviceSelection {
  @JsonField(DEVICE_IDS, { column: false, description: 'IDs of devices to export.', example: [ID_EXAMPLE] })
  deviceIds?: string[];

  @JsonField(DEVICE_TAGS, {
    column: false,
    description: 'Selects devices that have any of these tags.',
    example: [{ key: 'site', value: 'north' }],
  })
  deviceTags?: { key?: string; value?: string }[];

  @JsonField(DEVICE_QUERY_BODY, {
    column: false,
    description: 'Advanced query that selects devices.',
    example: { deviceClass: 'standalone' },
  })
  deviceQuery?: object;

  @JsonField(ATTRIBUTE_NAMES, {
    column: false,
    description:
      'Names of the attributes, in the order of the columns. Defaults to all attributes of the devices.',
    example: ['pressure'],
  })
  attributes?: string[];

  @JsonField(DEVICES_EXPORT_OPTIONS, {
    column: false,
    description: 'Content of the exported file, and number of files.',
    example: { filePerDevice: true },
  })
  options?: RequestedOptions;
}

@ApiSchema({
  name: 'DevicesExportPost',
  description: 'Devices to export, and recipients of the notification.',
})
export class DevicesExportPost extends ListenersBody {
  @ChoiceField(['csv', 'json'], {
    column: false,
    description: 'Format of the exported file.',
    default: 'csv',
  })
  format?: 'csv' | 'json';

  @JsonField(DEVICE_QUERY_BODY, {
    column: false,
    description: 'Advanced query that selects devices. Defaults to all devices.',
    example: { deviceClass: 'standalone' },
  })
  query?: object;
}

@ApiSchema({
  name: 'DevicesExportPayloadCountPost',
  description: 'Devices and time range of the payload counts, and recipients of the notification.',
})
export class DevicesExportPayloadCountPost extends ListenersBody {
  @JsonField(TIMESTAMP, {
    column: false,
    description:
      'Start of the time range, inclusive. In milliseconds since 1970; zero and negative values are relative to the current time. Defaults to 30 days ago.',
    default: -2_592_000_000,
    example: -86_400_000,
  })
  start?: number;

  @JsonField(TIMESTAMP, {
    column: false,
    description: 'End of the time range, in the same format as `start`.',
    default: 0,
    example: 0,
  })
  end?: number;

  @JsonField(DEVICE_QUERY_BODY, {
    column: false,
    description: 'Advanced query that selects devices. Defaults to all devices.',
    example: { deviceClass: 'standalone' },
  })
  query?: object;
}

@ApiSchema({
  name: 'DevicesRemoveDataPost',
  description: 'Data of devices to delete, and recipients of the notification.',
})
export class DevicesRemoveDataPost extends TimedBody {
  @JsonField(DEVICE_QUERY_BODY, {
    column: false,
    required: true,
    description: 'Advanced query that selects devices; `{}` selects all of them.',
    example: { deviceClass: 'standalone' },
  })
  query: object;

  @JsonField(ATTRIBUTE_NAMES, {
    column: false,
    nullable: true,
    description:
      'Names of the attributes whose values are deleted. Omitted or `null` deletes the values of all attributes.',
    example: ['pressure'],
  })
  attributes?: string[] | null;

  @BooleanField({
    column: false,
    description: 'Whether to keep the commands that were sent to the devices.',
    default: false,
  })
  keepCommandHistory?: boolean;

  @BooleanField({
    column: false,
    description: 'Whether to keep the connection log of the devices.',
    default: false,
  })
  keepConnectionHistory?: boolean;
}

/** Callback of a removal of data. */
export const DATA_REMOVAL_CALLBACK = callbackSchema('DataRemoval', {
  devices: countSchema('Number of devices whose data was removed.'),
});
