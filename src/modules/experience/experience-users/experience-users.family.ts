import type { Family } from '../../../platform/families.js';
import { BUNDLED_EXPERIENCE_USERS } from './experience-user.bundle.js';
import { EXPERIENCE_USERS, ExperienceUser } from './experience-user.resource.js';
import { ExperienceUsersModule } from './experience-users.module.js';

/** Users of experiences. */
export const EXPERIENCE_USERS_FAMILY: Family = {
  modules: [ExperienceUsersModule],
  entities: [ExperienceUser],
  holdings: [EXPERIENCE_USERS],
  bundles: [BUNDLED_EXPERIENCE_USERS],
  tag: {
    name: 'experienceUsers',
    title: 'Experience users',
    group: 'Experience',
    resources: ['experienceUsers', 'experienceUser'],
    description: 'The users of an experience.',
  },
};
