import type { Family } from '../../../platform/families.js';
import { InvitesModule } from './invites.module.js';

/** Invitations to organizations. */
export const INVITES_FAMILY: Family = {
  modules: [InvitesModule],
  tag: {
    name: 'invites',
    title: 'Invitations',
    group: 'Organizations',
    resources: ['orgInvites'],
    description: 'View an invitation and respond to it with the token from its email, without signing in.',
  },
};
