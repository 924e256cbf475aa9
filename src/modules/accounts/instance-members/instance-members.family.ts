import { rowCount } from '../../../platform/counts/count-triggers.js';
import type { Family } from '../../../platform/families.js';
import { InstanceMember } from './instance-member.resource.js';
import { InstanceMembersModule } from './instance-members.module.js';

/** Members of instances. */
export const INSTANCE_MEMBERS_FAMILY: Family = {
  modules: [InstanceMembersModule],
  entities: [InstanceMember],
  countedRows: [{ table: 'instance_members', holder: 'user_id', amounts: rowCount('instanceCount') }],
  tag: {
    name: 'instanceMembers',
    title: 'Instance members',
    group: 'Instances',
    resources: ['instanceMembers', 'instanceMember'],
    description: 'Members of an instance.',
  },
};
