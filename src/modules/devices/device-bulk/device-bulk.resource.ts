import { ApiSchema } from '@nestjs/swagger';
import { callbackSchema } from '../../../platform/callbacks/callback-schema.js';
import { ListenersBody } from '../../../platform/callbacks/listener-fields.js';
import {
  BooleanField,
  IntegerField,
  JsonField,
  ObjectField,
  StringField,
} from '../../../platform/fields/fields.js';
import { countSchema, linkSchema } from '../../../platform/fields/schema.js';
import { DevicePatch } from '../devices/device.resource.js';
import { DEVICE_IDS, DEVICE_QUERY_BODY } from '../devices/device-selection.js';
import { UPDATE_OPERATIONS, type UpdateOperation } from './device-bulk.schemas.js';

@ApiSchema({ name: 'DevicesPatch', description: 'Changes to many devices.' })
export class DevicesPatch extends ListenersBody {
  @JsonField(DEVICE_IDS, {
    column: false,
    description: 'IDs of devices to update, in addition to those that match `query`.',
  })
  deviceIds?: string[];

  @JsonField(DEVICE_QUERY_BODY, {
    column: false,
    description: 'Query for the devices to update, in addition to `deviceIds`.',
    example: { deviceClass: 'standalone' },
  })
  query?: object;

  @ObjectField(() => DevicePatch, {
    column: false,
    description: 'Properties to set on all selected devices, as when a single device is updated.',
    example: { keepDuplicates: true },
  })
  updateFields?: DevicePatch;

  @JsonField(UPDATE_OPERATIONS, {
    column: false,
    description: 'Steps that are applied in order, after `updateFields`.',
    example: [{ operation: 'set', target: 'tag', value: { key: 'site', value: 'north' } }],
  })
  updateOperations?: UpdateOperation[];
}

@ApiSchema({ name: 'DevicesDeleteOrRestorePost', description: 'Selects the devices to delete or restore.' })
export class DevicesDeleteOrRestorePost extends ListenersBody {
  @JsonField(DEVICE_QUERY_BODY, {
    column: false,
    required: true,
    description: 'Query for the devices; `{}` selects all of them.',
    example: { name: { $startsWith: 'Pump' } },
  })
  query: object;

  @BooleanField({
    column: false,
    description: 'Whether to run the operation as a job regardless of the number of devices.',
    default: false,
  })
  forceJob?: boolean;
}

@ApiSchema({ name: 'DevicesUpdated', description: 'Result of a bulk update.' })
export class DevicesUpdated {
  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'Number of devices that were updated.',
    example: 3,
  })
  updated: number;

  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'Number of devices that did not need a change.',
    example: 0,
  })
  skipped: number;

  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'Number of devices that could not be updated.',
    example: 0,
  })
  failed: number;

  @StringField({
    column: false,
    format: 'uri',
    description:
      'Signed link to a CSV file that lists the devices that could not be updated, with the reasons. Anyone with the link can read it. Valid for 24 hours.',
    example: 'https://example.com/blobs/log',
  })
  logLink?: string;
}

@ApiSchema({ name: 'BulkRestoreResponse', description: 'Result of a bulk restore.' })
export class BulkRestoreResponse {
  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'Number of devices that were restored.',
    example: 3,
  })
  restored: number;

  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'Number of matching devices that could not be restored.',
    example: 0,
  })
  failed: number;
}

/** Callback of a bulk operation. */
export const DEVICE_BULK_CALLBACK = callbackSchema('DeviceBulk', {
  done: countSchema('Number of devices that were updated, deleted or restored.', 230),
  skipped: countSchema('Number of devices that did not need a change.'),
  failed: countSchema('Number of devices that could not be processed.'),
  logLink: linkSchema('Link to a CSV file that lists the failed devices, with the reasons.', '24 hours'),
});
