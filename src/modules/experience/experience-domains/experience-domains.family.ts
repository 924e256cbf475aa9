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
  tag: {
    name: 'experienceDomains',
    title: 'Domains',
    group: 'Experience',
    resources: ['experienceDomains', 'experienceDomain'],
    description: 'The custom domains of an experience.',
  },
};
