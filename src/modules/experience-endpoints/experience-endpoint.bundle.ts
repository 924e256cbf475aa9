import { bundled } from '../../platform/bundles/bundled.js';
import { checked, ENDPOINT_DEFAULTS } from './endpoint.rules.js';
import { EXPERIENCE_ENDPOINTS, ExperienceEndpointPost } from './experience-endpoint.resource.js';

/** Endpoints of the version that is being developed. */
export const BUNDLED_EXPERIENCE_ENDPOINTS = bundled({
  holding: EXPERIENCE_ENDPOINTS,
  resourceType: 'ExperienceEndpoint',
  word: 'experienceEndpoint',
  place: { file: () => 'experience/develop/endpoints' },
  post: ExperienceEndpointPost,
  named: 'route',
  linked: {
    experienceGroupIds: { table: 'experience_group_endpoints', own: 'endpoint_id', other: 'group_id' },
  },
  row: ({ experienceGroupIds: _, ...given }) => ({ ...ENDPOINT_DEFAULTS, ...given, ...checked(given) }),
});
