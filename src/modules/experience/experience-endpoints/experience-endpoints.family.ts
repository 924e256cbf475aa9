import type { Family } from '../../../platform/families.js';
import { FROZEN_ENDPOINTS, FROZEN_ENDPOINT_GROUPS } from './endpoint-frozen.columns.js';
import { EXPERIENCE_REQUEST_SUMS, ExperienceRequestSum } from './endpoint-request-sum.entity.js';
import {
  BUNDLED_EXPERIENCE_ENDPOINTS,
  BUNDLED_EXPERIENCE_ENDPOINT_VERSIONS,
} from './experience-endpoint.bundle.js';
import {
  EXPERIENCE_ENDPOINTS,
  EXPERIENCE_ENDPOINT_VERSIONS,
  ExperienceEndpoint,
  ExperienceEndpointVersion,
} from './experience-endpoint.resource.js';
import { ExperienceEndpointsModule } from './experience-endpoints.module.js';

/** Endpoints of experiences and statistics of their requests. */
export const EXPERIENCE_ENDPOINTS_FAMILY: Family = {
  modules: [ExperienceEndpointsModule],
  entities: [ExperienceEndpoint, ExperienceEndpointVersion, ExperienceRequestSum],
  holdings: [EXPERIENCE_ENDPOINTS, EXPERIENCE_ENDPOINT_VERSIONS, EXPERIENCE_REQUEST_SUMS],
  bundles: [BUNDLED_EXPERIENCE_ENDPOINTS],
  keptBundles: [BUNDLED_EXPERIENCE_ENDPOINT_VERSIONS],
  neverBundled: {
    experience_request_sums: 'History.',
  },
  frozen: [FROZEN_ENDPOINTS, FROZEN_ENDPOINT_GROUPS],
  tag: {
    name: 'experienceEndpoints',
    title: 'Endpoints',
    group: 'Experience',
    resources: ['experienceEndpoints', 'experienceEndpoint'],
    description:
      'The endpoints of an experience, their links to other resources and their request statistics.',
  },
};
