import { listQuery } from '../../../platform/lists/query-fields.js';
import { DeviceFormQuery } from '../devices/devices.query.js';

export class DeviceRecipesQuery extends listQuery(
  {
    sort: ['name', 'id', 'creationDate', 'lastUpdated'],
    defaultSort: 'name',
    defaultDirection: 'asc',
    perPage: 100,
    filter: ['name'],
  },
  DeviceFormQuery,
) {}
