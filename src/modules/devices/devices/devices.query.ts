import type { ListSpec } from '../../../platform/lists/list-query.js';
import { listQuery, QueryBoolean, QueryId, QueryJson } from '../../../platform/lists/query-fields.js';
import { DEVICE_QUERY } from './device-selection.js';
import { DEVICE_CLASSES, TAG_FILTERS, type DeviceClass, type TagFilter } from './device.schemas.js';

/** How an answer shows devices. */
export class DeviceShownQuery {
  @QueryBoolean({
    description: 'Whether `tags` is an object, of lists of values by key.',
    default: false,
  })
  tagsAsObject: boolean;

  @QueryBoolean({ description: 'Whether `attributes` is an object, by name.', default: false })
  attributesAsObject: boolean;
}

export class DeviceQuery extends DeviceShownQuery {
  @QueryBoolean({ description: 'Whether `connectionInfo` is left out.', default: false })
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

const OVERRIDDEN = 'An advanced query takes its place.';
const CLASS = { type: 'string', enum: DEVICE_CLASSES };

export class DevicesQuery extends listQuery(BY_NAME, DeviceQuery) {
  @QueryJson(
    { oneOf: [CLASS, { type: 'array', maxItems: DEVICE_CLASSES.length, items: CLASS }] },
    {
      description: `The class of the devices, or several of which each will do. ${OVERRIDDEN}`,
      example: ['gateway', 'edgeCompute'],
    },
  )
  deviceClass?: DeviceClass | DeviceClass[];

  @QueryJson(TAG_FILTERS, {
    description: `Tags, of which a device has to have one; a part that is absent matches any. ${OVERRIDDEN}`,
    example: [{ key: 'site', value: 'north' }],
  })
  tagFilter?: TagFilter[];

  @QueryId({
    nullable: true,
    description: `The system that the devices stand directly below, or \`null\` for those that stand below none. ${OVERRIDDEN}`,
  })
  parentId?: string | null;

  @QueryBoolean({
    description: 'Whether the list is of deleted devices, which may be restored, in place of the others.',
    default: false,
  })
  queryDeleted: boolean;
}
