import { rowCount } from '../../../platform/counts/count-triggers.js';
import type { Family } from '../../../platform/families.js';
import { InstanceMember } from './instance-member.resource.js';
import { InstanceMembersModule } from './instance-members.module.js';

/** Members of instances. */
export const INSTANCE_MEMBERS_FAMILY: Family = {
  modules: [InstanceMembersModule],
  entities: [InstanceMember],
  countedRows: [{ table: 'instance_members', holder: 'user_id', amounts: rowCount('instanceCount') }],
  tags: [
    { name: 'instanceMembers', description: 'List and add members of an instance.' },
    { name: 'instanceMember', description: 'Read, update and remove a member of an instance.' },
  ],
};
