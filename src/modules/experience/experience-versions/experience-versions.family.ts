import type { Family } from '../../../platform/families.js';
import { BUNDLED_EXPERIENCE_VERSIONS } from './experience-version.bundle.js';
import { EXPERIENCE_VERSIONS, ExperienceVersion } from './experience-version.resource.js';
import { ExperienceVersionsModule } from './experience-versions.module.js';

/** Versions, which are named snapshots of an experience. */
export const EXPERIENCE_VERSIONS_FAMILY: Family = {
  modules: [ExperienceVersionsModule],
  entities: [ExperienceVersion],
  holdings: [EXPERIENCE_VERSIONS],
  keptBundles: [BUNDLED_EXPERIENCE_VERSIONS],
  tag: {
    name: 'experienceVersions',
    title: 'Versions',
    group: 'Experience',
    resources: ['experienceVersions', 'experienceVersion'],
    description: 'Versions, named snapshots of an experience.',
  },
};
