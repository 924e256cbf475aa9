import { listQuery } from '../../../platform/lists/query-fields.js';

export class InstanceOrgInvitesQuery extends listQuery({
  sort: ['email', 'role', 'inviteDate'],
  defaultSort: 'inviteDate',
  defaultDirection: 'desc',
  filter: ['email', 'role'],
}) {}
