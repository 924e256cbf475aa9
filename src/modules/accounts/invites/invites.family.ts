import type { Family } from '../../../platform/families.js';
import { InvitesModule } from './invites.module.js';

/** Invitations to organizations. */
export const INVITES_FAMILY: Family = {
  modules: [InvitesModule],
  tags: [
    {
      name: 'orgInvites',
      description: 'Read and answer an invitation with the token from its e-mail, without signing in.',
    },
  ],
};
