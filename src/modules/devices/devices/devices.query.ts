import type { ListSpec } from '../../../platform/lists/list-query.js';
import { listQuery, QueryBoolean, QueryId, QueryJson } from '../../../platform/lists/query-fields.js';
import { DEVICE_QUERY } from './device-selection.js';
import { DEVICE_CLASSES, TAG_FILTERS, type DeviceClass, type TagFilter } from './device.schemas.js';

/** Parameters for the representation of devices in a response. */
export class DeviceFormQuery {
  @QueryBoolean({
    description: 'Whether `tags` is an object with lists of values by key.',
    default: false,
  })
  tagsAsObject: boolean;

  @QueryBoolean({ description: 'Whether `attributes` is an object with attributes by name.', default: false })
  attributesAsObject: boolean;
}

export class DeviceQuery extends DeviceFormQuery {
  @QueryBoolean({ description: 'Whether to omit `connectionInfo`.', default: false })
  excludeConnectionInfo: boolean;
}

const BY_NAME: ListSpec = {
  sort: ['name', 'id', 'creationDate', 'lastUpdated', 'connectionStatus', 'deletedAt'],
  defaultSort: 'name',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['name'],
  query: DEVICE_QUERY,
};

const OVERRIDDEN = 'Ignored if an advanced query is set.';
const DEVICE_TAG_FILTER = {
  ...TAG_FILTERS,
  title: 'DeviceTagFilter',
  description: 'Tags, at least one of which matches.',
};
const CLASS = { type: 'string', enum: DEVICE_CLASSES };

export class DevicesQuery extends listQuery(BY_NAME, DeviceQuery) {
  @QueryJson(
    {
      title: 'DeviceClassFilter',
      description: 'A class of devices, or several.',
      oneOf: [CLASS, { type: 'array', maxItems: DEVICE_CLASSES.length, items: CLASS }],
    },
    {
      description: `Class of the devices, or an array of classes. ${OVERRIDDEN}`,
      example: ['gateway', 'edgeCompute'],
    },
  )
  deviceClass?: DeviceClass | DeviceClass[];

  @QueryJson(DEVICE_TAG_FILTER, {
    description: `Tags, at least one of which the device must have; an omitted \`key\` or \`value\` matches any. ${OVERRIDDEN}`,
    example: [{ key: 'site', value: 'north' }],
  })
  tagFilter?: TagFilter[];

  @QueryId({
    nullable: true,
    description: `ID of the parent system of the devices, or \`null\` for root devices. ${OVERRIDDEN}`,
  })
  parentId?: string | null;

  @QueryBoolean({
    description: 'Whether to list deleted devices, which can be restored, instead of the others.',
    default: false,
  })
  queryDeleted: boolean;
}
