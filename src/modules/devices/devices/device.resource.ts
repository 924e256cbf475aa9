import { ApiSchema, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import {
  AliasField,
  BooleanField,
  ChoiceField,
  DateField,
  ID_EXAMPLE,
  ID_PATTERN,
  IdField,
  IntegerField,
  JsonField,
  StringField,
} from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { Application } from '../../applications/applications/application.resource.js';
import { DEVICE_COMPUTED } from './device.columns.js';
import {
  ATTRIBUTES,
  ATTRIBUTES_RESPONSE,
  CONNECTION_INFO,
  DEVICE_CLASSES,
  TAG_FILTERS,
  TAGS,
  TAGS_RESPONSE,
  type DeviceClass,
  type DeviceTag,
  type StoredAttribute,
  type TagFilter,
} from './device.schemas.js';

const TAG_EXAMPLE = [{ key: 'site', value: 'north' }];
const ATTRIBUTE_EXAMPLE = [{ name: 'pressure', dataType: 'number' }];
const MIN_INTERVAL = 5;
const MAX_INTERVAL = 3600;

/** Device that reports to its application and receives commands, or a system of devices. */
@ApiSchema({
  name: 'Device',
  description: 'A device that reports values and receives commands, or a system of devices.',
})
@Entity('devices')
@Index('devices_by_name', ['applicationId', 'name', 'id'], { where: 'deleted_at IS NULL' })
@Index('devices_by_id', ['applicationId', 'id'], { where: 'deleted_at IS NULL' })
@Index('devices_by_creation', ['applicationId', 'creationDate', 'id'], { where: 'deleted_at IS NULL' })
@Index('devices_by_change', ['applicationId', 'lastUpdated', 'id'], { where: 'deleted_at IS NULL' })
@Index('devices_of_class_by_name', ['applicationId', 'deviceClass', 'name', 'id'], {
  where: 'deleted_at IS NULL',
})
@Index('devices_of_class_by_id', ['applicationId', 'deviceClass', 'id'], { where: 'deleted_at IS NULL' })
@Index('devices_of_class_by_creation', ['applicationId', 'deviceClass', 'creationDate', 'id'], {
  where: 'deleted_at IS NULL',
})
@Index('devices_of_class_by_change', ['applicationId', 'deviceClass', 'lastUpdated', 'id'], {
  where: 'deleted_at IS NULL',
})
@Index('devices_by_part_of_name', { synchronize: false })
@Index('devices_deleted', ['applicationId', 'deletedAt', 'id'], { where: 'deleted_at IS NOT NULL' })
@Index('devices_gone', ['deletedAt'], { where: 'deleted_at IS NOT NULL' })
@Index('devices_below', ['parentId', 'name', 'id'], { where: 'parent_id IS NOT NULL' })
@Index('devices_through', ['gatewayId', 'name', 'id'], { where: 'gateway_id IS NOT NULL' })
export class Device extends Resource {
  @AliasField('device')
  deviceId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the application that the device belongs to.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the device.',
    example: 'Pump 3',
  })
  name: string;

  @StringField({
    maxLength: 32767,
    description: 'Description of the device.',
    example: 'The pump at the north gate',
  })
  description?: string;

  @JsonField(TAGS_RESPONSE, {
    required: true,
    description: 'Tags of the device; with `tagsAsObject`, lists of values by key.',
    example: TAG_EXAMPLE,
  })
  tags: readonly DeviceTag[];

  @JsonField(ATTRIBUTES_RESPONSE, {
    required: true,
    description: 'Attributes that the device reports; with `attributesAsObject`, an object by name.',
    example: ATTRIBUTE_EXAMPLE,
  })
  attributes: readonly StoredAttribute[];

  @ChoiceField(DEVICE_CLASSES, {
    required: true,
    description:
      'Class of the device. `standalone` devices connect directly. `gateway` and `edgeCompute` devices also connect their peripherals. `peripheral` devices connect through the gateway in `gatewayId`, `floating` devices through any gateway. `embedded` devices run embedded workflows. `system` devices aggregate the devices below them.',
  })
  deviceClass: DeviceClass;

  @IdField({
    sampled: false,
    description: 'ID of the gateway or edge compute device through which a peripheral connects.',
  })
  gatewayId?: string | null;

  @IdField({ nullable: true, description: 'ID of the parent system; omitted for root devices.' })
  parentId?: string | null;

  @JsonField(
    { type: 'array', maxItems: 1000, items: { type: 'string', pattern: ID_PATTERN } },
    {
      required: true,
      column: false,
      description: 'IDs of the systems above the device, nearest first. Deleted systems are omitted.',
      example: [ID_EXAMPLE],
    },
  )
  ancestorIds: string[];

  @IntegerField({
    minimum: MIN_INTERVAL,
    maximum: MAX_INTERVAL,
    sampled: false,
    description: 'Seconds between two reports of the system.',
    example: 60,
  })
  systemInterval?: number | null;

  @BooleanField({
    required: true,
    description:
      'Stored for clients that use it; it does not affect which reports are kept. Every report is kept, and of several reports with the same millisecond the last one wins.',
    example: false,
  })
  keepDuplicates: boolean;

  @StringField({
    pattern: '^(0|([1-9]\\d*))\\.(0|([1-9]\\d*))\\.(0|([1-9]\\d*))$',
    sampled: false,
    description: 'Version of the agent, as reported by the device; omitted until it is reported.',
    example: '1.2.0',
  })
  edgeAgentVersion?: string;

  @JsonField(CONNECTION_INFO, {
    column: false,
    description: 'Connection status; omitted with `excludeConnectionInfo`.',
    example: { connected: 1, time: '2026-06-13T04:00:00.000Z' },
  })
  connectionInfo?: { connected: 1 | 0 | null; time?: string };

  @DateField({ sampled: false, description: 'Time the device was deleted, if it was deleted.' })
  deletedAt?: Date | null;

  /** Number of each attribute by name; points reference attributes by number. */
  @Column({ type: 'jsonb', default: {} })
  attributeNumbers: Readonly<Record<string, number>>;

  /** Number of the next attribute; numbers are never reused. */
  @Column({ type: 'integer', default: 1 })
  nextAttributeNumber: number;
}

export const DEVICES = holding(Device, {
  table: 'devices',
  title: 'Device',
  audited: 'Device',
  count: 'deviceCount',
  partitionedBy: 'deviceClass',
  deletedAt: 'deletedAt',
  limit: 'device',
  computed: DEVICE_COMPUTED,
});

/** Lists of a device in bodies: arrays only, without the other forms that responses can have. */
class DeviceLists {
  @JsonField(TAGS, {
    column: false,
    description: 'Tags of the device. A key can have several values.',
    example: TAG_EXAMPLE,
  })
  tags: readonly DeviceTag[];

  @JsonField(ATTRIBUTES, {
    column: false,
    description:
      'Attributes that the device reports, identified by name. An attribute that is omitted or changes its data type permanently loses its reported values.',
    example: ATTRIBUTE_EXAMPLE,
  })
  attributes: readonly StoredAttribute[];
}

@ApiSchema({
  name: 'DevicePatch',
  description: 'Changes to a device. Omitted properties keep their value. Arrays are replaced, not merged.',
})
export class DevicePatch extends PartialType(
  IntersectionType(
    PickType(Device, ['name', 'description']),
    DeviceLists,
    PickType(Device, ['deviceClass', 'gatewayId', 'parentId', 'systemInterval', 'keepDuplicates']),
  ),
) {
  @ChoiceField(DEVICE_CLASSES, { column: false, description: 'Class of the device.' })
  override deviceClass?: DeviceClass;

  @IdField({
    column: false,
    nullable: true,
    description: 'ID of the parent system; `null` for root devices.',
  })
  override parentId?: string | null;
}

@ApiSchema({ name: 'DevicePost', description: 'Properties of a new device.' })
export class DevicePost extends IntersectionType(
  OmitType(DevicePatch, ['name', 'deviceClass']),
  PickType(Device, ['name']),
) {
  @ChoiceField(DEVICE_CLASSES, { column: false, description: 'Class of the device.', default: 'standalone' })
  deviceClass?: DeviceClass;
}

@ApiSchema({ name: 'Devices', description: 'A page of devices.' })
export class Devices extends pageOf(Device, 'DevicesPage', ['applicationId']) {
  @ChoiceField(DEVICE_CLASSES, {
    column: false,
    description: 'Requested class, if the list is limited to one.',
  })
  deviceClass?: DeviceClass;

  @JsonField(TAG_FILTERS, {
    column: false,
    description: 'Tag filter of the request, if any.',
    example: TAG_EXAMPLE,
  })
  tagFilter?: readonly TagFilter[];

  @IdField({ column: false, nullable: true, description: 'Parent system of the request, if any.' })
  parentId?: string | null;

  @JsonField(
    { type: 'object', additionalProperties: true },
    {
      column: false,
      description: 'Advanced query of the request, if any.',
      example: { deviceClass: 'gateway' },
    },
  )
  query?: object;
}
