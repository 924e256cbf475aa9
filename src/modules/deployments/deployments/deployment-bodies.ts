import { IdField, JsonField, StringField } from '../../../platform/fields/fields.js';
import { textSchema } from '../../../platform/fields/schema.js';
import { DEVICE_IDS, DEVICE_TAGS } from '../../devices/devices/device-selection.js';
import type { TagFilter } from '../../devices/devices/device.schemas.js';

const MAX_VERSION_LENGTH = 255;

/** Body of a release: workflow, version and devices. */
export class ReleaseBody {
  @IdField({ required: true, column: false, description: 'ID of the workflow to deploy.' })
  flowId: string;

  @StringField({
    required: true,
    nullable: true,
    column: false,
    maxLength: MAX_VERSION_LENGTH,
    description:
      'Name of the workflow version, or `develop` for the development version. `null` or blank removes the workflow from the devices.',
    example: '1.4.0',
  })
  version: string | null;

  @JsonField(DEVICE_IDS, {
    column: false,
    description: 'IDs of devices to deploy to, in addition to those selected by `deviceTags`.',
  })
  deviceIds?: string[];

  @JsonField(DEVICE_TAGS, {
    column: false,
    description:
      'Tags that select devices. A device is selected if it has any of the tags; an omitted key or value matches any. Devices of other classes are skipped.',
    example: [{ key: 'site', value: 'north' }],
  })
  deviceTags?: TagFilter[];
}

/** Body of a removal: workflow and device. */
export class RemoveBody {
  @IdField({
    required: true,
    nullable: true,
    column: false,
    description: 'ID of the workflow to remove; `null` removes all workflows of the device.',
  })
  flowId: string | null;

  @IdField({
    required: true,
    nullable: true,
    column: false,
    description: 'ID of the device; `null` removes the workflow from all devices.',
  })
  deviceId: string | null;
}

/** Body of a replacement: workflow and versions. */
export class ReplaceBody {
  @IdField({ required: true, column: false, description: 'ID of the workflow whose version is replaced.' })
  flowId: string;

  @StringField({
    required: true,
    column: false,
    minLength: 1,
    maxLength: MAX_VERSION_LENGTH,
    description: 'Name of the version to replace.',
    example: '1.4.0',
  })
  oldVersion: string;

  @StringField({
    required: true,
    nullable: true,
    column: false,
    maxLength: MAX_VERSION_LENGTH,
    description:
      'Name of the new version, or `develop` for the development version. `null` or blank removes the workflow from the devices.',
    example: '1.5.0',
  })
  newVersion: string | null;
}

/** Schema of a text of at most 255 characters, or `null`, in a log entry. */
export const logText = (description: string, example: string, nullable = false) =>
  textSchema(description, example, {
    minLength: 1,
    maxLength: MAX_VERSION_LENGTH,
    ...(nullable ? { nullable } : {}),
  });
