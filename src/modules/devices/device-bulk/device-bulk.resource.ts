import { ApiSchema } from '@nestjs/swagger';
import { ListenersBody } from '../../../platform/callbacks/asked-listeners.js';
import {
  BooleanField,
  IntegerField,
  JsonField,
  ObjectField,
  StringField,
} from '../../../platform/fields/fields.js';
import { DevicePatch } from '../devices/device.resource.js';
import { DEVICE_IDS, DEVICE_QUERY_BODY } from '../devices/device-selection.js';
import { UPDATE_OPERATIONS, type UpdateOperation } from './device-bulk.schemas.js';

@ApiSchema({ name: 'DevicesPatch', description: 'A change of many devices.' })
export class DevicesPatch extends ListenersBody {
  @JsonField(DEVICE_IDS, { column: false, description: 'The devices, with those that `query` finds.' })
  deviceIds?: string[];

  @JsonField(DEVICE_QUERY_BODY, {
    column: false,
    description: 'What the devices are like.',
    example: { deviceClass: 'standalone' },
  })
  query?: object;

  @ObjectField(() => DevicePatch, {
    column: false,
    description: 'What all of them become, as in a change of one.',
    example: { keepDuplicates: true },
  })
  updateFields?: DevicePatch;

  @JsonField(UPDATE_OPERATIONS, {
    column: false,
    description: 'Steps that are made after that, one after the other.',
    example: [{ operation: 'set', target: 'tag', value: { key: 'site', value: 'north' } }],
  })
  updateOperations?: UpdateOperation[];
}

@ApiSchema({ name: 'DevicesDeleteOrRestorePost', description: 'Which devices to delete or restore.' })
export class DevicesDeleteOrRestorePost extends ListenersBody {
  @JsonField(DEVICE_QUERY_BODY, {
    column: false,
    required: true,
    description: 'What the devices are like; `{}` for all.',
    example: { name: { $startsWith: 'Pump' } },
  })
  query: object;

  @BooleanField({ column: false, description: 'Whether it is a job however few they are.', default: false })
  forceJob?: boolean;
}

@ApiSchema({ name: 'DevicesUpdated', description: 'How many devices were changed.' })
export class DevicesUpdated {
  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'How many were changed.',
    example: 3,
  })
  updated: number;

  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'How many were so already.',
    example: 0,
  })
  skipped: number;

  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'How many could not be changed.',
    example: 0,
  })
  failed: number;

  @StringField({
    column: false,
    description: 'A CSV of those that could not be changed, and why, for 24 hours.',
    example: 'https://example.com/blobs/log',
  })
  logLink?: string;
}

@ApiSchema({ name: 'BulkRestoreResponse', description: 'What was restored, and what could not be.' })
export class BulkRestoreResponse {
  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'How many were restored.',
    example: 3,
  })
  restored: number;

  @IntegerField({
    required: true,
    column: false,
    minimum: 0,
    description: 'How many matched and could not be restored.',
    example: 0,
  })
  failed: number;
}
