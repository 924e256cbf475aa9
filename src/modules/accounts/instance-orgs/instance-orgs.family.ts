import type { Family } from '../../../platform/families.js';
import { InstanceOrgsModule } from './instance-orgs.module.js';

/** Organizations of an instance, managed by its members. */
export const INSTANCE_ORGS_FAMILY: Family = {
  modules: [InstanceOrgsModule],
  tag: {
    name: 'instanceOrgs',
    title: 'Organizations of an instance',
    group: 'Instances',
    resources: [
      'instanceOrgs',
      'instanceOrg',
      'instanceOrgMembers',
      'instanceOrgMember',
      'instanceOrgInvites',
      'instanceOrgInvite',
    ],
    description: 'Organizations of an instance, with their members and invitations.',
  },
};
