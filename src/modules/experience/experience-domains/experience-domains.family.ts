import type { Family } from '../../../platform/families.js';
import { EXPERIENCE_DOMAINS, ExperienceDomain } from './experience-domain.resource.js';
import { ExperienceDomainsModule } from './experience-domains.module.js';

/** Custom domains of experiences. */
export const EXPERIENCE_DOMAINS_FAMILY: Family = {
  modules: [ExperienceDomainsModule],
  entities: [ExperienceDomain],
  holdings: [EXPERIENCE_DOMAINS],
  neverBundled: {
    experience_domains: 'A domain belongs to one application.',
  },
  tags: [
    { name: 'experienceDomains', description: 'List and create the custom domains of an experience.' },
    { name: 'experienceDomain', description: 'Read, update and delete a domain of an experience.' },
  ],
};
