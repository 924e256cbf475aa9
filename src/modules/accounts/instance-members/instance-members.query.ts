import { listQuery } from '../../../platform/lists/query-fields.js';

export class InstanceMembersQuery extends listQuery({
  sort: ['email', 'role'],
  defaultSort: 'email',
  defaultDirection: 'asc',
  filter: ['email', 'role'],
}) {}
