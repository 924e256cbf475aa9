import { listQuery } from '../../../platform/lists/query-fields.js';

export class DeviceAttributesQuery extends listQuery({
  sort: ['name', 'dataType'],
  defaultSort: 'name',
  defaultDirection: 'asc',
  filter: ['name', 'dataType'],
}) {}
