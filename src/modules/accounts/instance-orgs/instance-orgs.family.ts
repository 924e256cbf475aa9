import type { Family } from '../../../platform/families.js';
import { InstanceOrgsModule } from './instance-orgs.module.js';

/** Organizations of an instance, managed by its members. */
export const INSTANCE_ORGS_FAMILY: Family = {
  modules: [InstanceOrgsModule],
  tags: [
    { name: 'instanceOrgs', description: 'List and create organizations of an instance.' },
    { name: 'instanceOrg', description: 'Read, update and delete an organization of an instance.' },
    {
      name: 'instanceOrgMembers',
      description: 'List and add members of an organization as a member of the instance.',
    },
    {
      name: 'instanceOrgMember',
      description: 'Read, update and remove a member of an organization as a member of the instance.',
    },
    {
      name: 'instanceOrgInvites',
      description: 'List and create invitations to an organization as a member of the instance.',
    },
    { name: 'instanceOrgInvite', description: 'Read, resend and revoke an invitation.' },
  ],
};
