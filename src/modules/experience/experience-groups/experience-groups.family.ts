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
  tag: {
    name: 'experienceGroups',
    title: 'Groups',
    group: 'Experience',
    resources: ['experienceGroups', 'experienceGroup'],
    description: 'Experience groups, which form a tree.',
  },
};
