import type { Family } from '../../../platform/families.js';
import { ExperienceLinksModule } from './experience-links.module.js';

/** Links between endpoints, views and other resources of an experience. */
export const EXPERIENCE_LINKS_FAMILY: Family = {
  modules: [ExperienceLinksModule],
};
