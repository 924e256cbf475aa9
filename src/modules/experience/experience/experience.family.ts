import type { Family } from '../../../platform/families.js';
import { EXPERIENCE_REMOVAL } from './experience-removal.service.js';
import { ExperienceModule } from './experience.module.js';

/** Operations on complete experiences. */
export const EXPERIENCE_FAMILY: Family = {
  modules: [ExperienceModule],
  jobs: [EXPERIENCE_REMOVAL],
  tag: {
    name: 'experience',
    title: 'Experience',
    group: 'Experience',
    resources: ['experience'],
    description: 'Bootstrap an experience, or delete all or parts of it.',
  },
};
