import type { Family } from '../../../platform/families.js';
import { MeModule } from './me.module.js';
import { RecentItem } from './recent-item.resource.js';

/** The account of the caller, with recently viewed items. */
export const ME_FAMILY: Family = {
  modules: [MeModule],
  entities: [RecentItem],
  tag: {
    name: 'me',
    title: 'Your account',
    group: 'Account',
    resources: ['me'],
    description:
      'Your account: profile, password, second factor, invitations, recent items and transfers of your resources.',
  },
};
