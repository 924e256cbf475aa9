import type { Family } from '../../../platform/families.js';
import { BUNDLED_EXPERIENCE_GROUPS } from './experience-group.bundle.js';
import { EXPERIENCE_GROUPS, ExperienceGroup } from './experience-group.resource.js';
import { ExperienceGroupsModule } from './experience-groups.module.js';

/** Groups of experience users. */
export const EXPERIENCE_GROUPS_FAMILY: Family = {
  modules: [ExperienceGroupsModule],
  entities: [ExperienceGroup],
  holdings: [EXPERIENCE_GROUPS],
  bundles: [BUNDLED_EXPERIENCE_GROUPS],
  tags: [
    { name: 'experienceGroups', description: 'List and create experience groups, which form a tree.' },
    { name: 'experienceGroup', description: 'Read, update and delete an experience group.' },
  ],
};
