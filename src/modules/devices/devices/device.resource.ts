import { ApiSchema, OmitType } from '@nestjs/swagger';
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
  ATTRIBUTES_SHOWN,
  CONNECTION_INFO,
  DEVICE_CLASSES,
  TAG_FILTERS,
  TAGS,
  TAGS_SHOWN,
  type DeviceClass,
  type DeviceTag,
  type StoredAttribute,
  type TagFilter,
} from './device.schemas.js';

const TAG_EXAMPLE = [{ key: 'site', value: 'north' }];
const ATTRIBUTE_EXAMPLE = [{ name: 'pressure', dataType: 'number' }];
const LEAST_INTERVAL = 5;
const MOST_INTERVAL = 3600;

/** A thing that reports to its application and takes its commands, or a system of such things. */
@ApiSchema({
  name: 'Device',
  description: 'A thing that reports and takes commands, or a system of such things.',
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
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @StringField({ required: true, minLength: 1, maxLength: 255, description: 'Its name.', example: 'Pump 3' })
  name: string;

  @StringField({ maxLength: 32767, description: 'What it is.', example: 'The pump at the north gate' })
  description?: string;

  @JsonField(TAGS_SHOWN, {
    required: true,
    description: 'Its tags; with `tagsAsObject` lists of values by key.',
    example: TAG_EXAMPLE,
  })
  tags: readonly DeviceTag[];

  @JsonField(ATTRIBUTES_SHOWN, {
    required: true,
    description: 'What it reports; with `attributesAsObject` by name.',
    example: ATTRIBUTE_EXAMPLE,
  })
  attributes: readonly StoredAttribute[];

  @ChoiceField(DEVICE_CLASSES, {
    required: true,
    description:
      'What it is: `standalone` speaks for itself; `gateway` and `edgeCompute` for their peripherals too; `peripheral` through the gateway of `gatewayId`, `floating` through any; `embedded` runs embedded workflows; `system` sums up the devices below it.',
  })
  deviceClass: DeviceClass;

  @IdField({ description: 'Of a peripheral: the gateway or edge compute device that it speaks through.' })
  gatewayId?: string | null;

  @IdField({ nullable: true, description: 'The system that it stands below; absent for none.' })
  parentId?: string | null;

  @JsonField(
    { type: 'array', maxItems: 1000, items: { type: 'string', pattern: ID_PATTERN } },
    {
      required: true,
      column: false,
      description:
        'The systems that it stands below, the nearest first. Those that are deleted are left out.',
      example: [ID_EXAMPLE],
    },
  )
  ancestorIds: string[];

  @IntegerField({
    minimum: LEAST_INTERVAL,
    maximum: MOST_INTERVAL,
    description: 'Of a system: the seconds between two of its reports.',
    example: 60,
  })
  systemInterval?: number | null;

  @BooleanField({
    required: true,
    description:
      'Stored for clients that know it. Every report is kept, and of one millisecond the last, whatever it says.',
    example: false,
  })
  keepDuplicates: boolean;

  @StringField({
    pattern: '^(0|([1-9]\\d*))\\.(0|([1-9]\\d*))\\.(0|([1-9]\\d*))$',
    description: 'The version of the agent that it said it runs; absent as long as it said none.',
    example: '1.2.0',
  })
  edgeAgentVersion?: string;

  @JsonField(CONNECTION_INFO, {
    column: false,
    description: 'Whether it is connected; left out with `excludeConnectionInfo`.',
    example: { connected: 1, time: '2026-06-13T04:00:00.000Z' },
  })
  connectionInfo?: { connected: 1 | 0 | null; time?: string };

  @DateField({ description: 'When it was deleted, where it was.' })
  deletedAt?: Date | null;

  /** The number of each attribute by its name: points name attributes by it. */
  @Column({ type: 'jsonb', default: {} })
  attributeNumbers: Readonly<Record<string, number>>;

  /** The number that the next attribute gets: none is given twice. */
  @Column({ type: 'integer', default: 1 })
  nextAttributeNumber: number;
}

export const DEVICES = holding(Device, {
  table: 'devices',
  title: 'Device',
  audited: 'Device',
  count: 'deviceCount',
  parted: 'deviceClass',
  deletedAt: 'deletedAt',
  limit: 'device',
  computed: DEVICE_COMPUTED,
});

@ApiSchema({
  name: 'DevicePatch',
  description: 'Changes to a device; what is absent stays as it is, and lists are replaced whole.',
})
export class DevicePatch {
  @StringField({ column: false, minLength: 1, maxLength: 255, description: 'Its name.', example: 'Pump 3' })
  name?: string;

  @StringField({
    column: false,
    maxLength: 32767,
    description: 'What it is.',
    example: 'The pump at the north gate',
  })
  description?: string;

  @JsonField(TAGS, { column: false, description: 'Its tags.', example: TAG_EXAMPLE })
  tags?: readonly DeviceTag[];

  @JsonField(ATTRIBUTES, {
    column: false,
    description:
      'What it reports. An attribute is known by its name: what one of another data type, or one that is left out, has reported is gone.',
    example: ATTRIBUTE_EXAMPLE,
  })
  attributes?: readonly StoredAttribute[];

  @ChoiceField(DEVICE_CLASSES, { column: false, description: 'What it is.' })
  deviceClass?: DeviceClass;

  @IdField({
    column: false,
    description: 'Of a peripheral: the gateway or edge compute device that it speaks through.',
  })
  gatewayId?: string;

  @IdField({
    column: false,
    nullable: true,
    description: 'The system that it stands below; `null` for none.',
  })
  parentId?: string | null;

  @IntegerField({
    column: false,
    minimum: LEAST_INTERVAL,
    maximum: MOST_INTERVAL,
    description: 'Of a system: the seconds between two of its reports.',
    example: 60,
  })
  systemInterval?: number;

  @BooleanField({
    column: false,
    description:
      'Stored for clients that know it. Every report is kept, and of one millisecond the last, whatever it says.',
    example: false,
  })
  keepDuplicates?: boolean;
}

@ApiSchema({ name: 'DevicePost', description: 'A new device.' })
export class DevicePost extends OmitType(DevicePatch, ['name', 'deviceClass']) {
  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name.',
    example: 'Pump 3',
  })
  name: string;

  @ChoiceField(DEVICE_CLASSES, { column: false, description: 'What it is.', default: 'standalone' })
  deviceClass?: DeviceClass;
}

@ApiSchema({ name: 'Devices', description: 'A page of devices.' })
export class Devices extends pageOf(Device, 'DevicesPage', ['applicationId']) {
  @ChoiceField(DEVICE_CLASSES, { column: false, description: 'The class, where one was asked for.' })
  deviceClass?: DeviceClass;

  @JsonField(TAG_FILTERS, {
    column: false,
    description: 'The tags, where some were asked for.',
    example: TAG_EXAMPLE,
  })
  tagFilter?: readonly TagFilter[];

  @IdField({ column: false, nullable: true, description: 'The system, where one was asked for.' })
  parentId?: string | null;

  @JsonField(
    { type: 'object', additionalProperties: true },
    {
      column: false,
      description: 'The advanced query, where there was one.',
      example: { deviceClass: 'gateway' },
    },
  )
  query?: object;
}
