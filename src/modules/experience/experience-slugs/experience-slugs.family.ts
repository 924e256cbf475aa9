import type { Family } from '../../../platform/families.js';
import { EXPERIENCE_SLUGS, ExperienceSlug } from './experience-slug.resource.js';
import { ExperienceSlugsModule } from './experience-slugs.module.js';

/** Names of experiences below the domain of the platform. */
export const EXPERIENCE_SLUGS_FAMILY: Family = {
  modules: [ExperienceSlugsModule],
  entities: [ExperienceSlug],
  holdings: [EXPERIENCE_SLUGS],
  neverBundled: {
    experience_slugs: 'A slug belongs to one application.',
  },
  tag: {
    name: 'experienceSlugs',
    title: 'Slugs',
    group: 'Experience',
    resources: ['experienceSlugs', 'experienceSlug'],
    description: 'Slugs, the names of an experience below the domain of the platform.',
  },
};
