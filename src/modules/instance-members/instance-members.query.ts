import { listQuery } from '../../platform/list/query-fields.js';

export class InstanceMembersQuery extends listQuery({
  sort: ['email', 'role'],
  defaultSort: 'email',
  defaultDirection: 'asc',
  filter: ['email', 'role'],
}) {}
