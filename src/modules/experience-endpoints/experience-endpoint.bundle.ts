import { pathPart } from '../../platform/bundles/bundle-names.js';
import { bundled, type BundledFacts } from '../../platform/bundles/bundled.js';
import { KEPT_COMPUTED, KEPT_IN_ORDER, KEPT_KEY } from './endpoint.columns.js';
import { checked, ENDPOINT_DEFAULTS } from './endpoint.rules.js';
import {
  EXPERIENCE_ENDPOINT_VERSIONS,
  EXPERIENCE_ENDPOINTS,
  ExperienceEndpointPost,
  type EndpointRow,
} from './experience-endpoint.resource.js';

const fileOf = (version: string): string => `experience/${version}/endpoints`;

/** The version that keeps an endpoint, as part of a path. */
const keptIn = (endpoint: EndpointRow): string =>
  pathPart((endpoint as EndpointRow & { keptIn: string }).keptIn);

const ENDPOINT: Omit<BundledFacts<EndpointRow, ExperienceEndpointPost>, 'holding' | 'place'> = {
  resourceType: 'ExperienceEndpoint',
  word: 'experienceEndpoint',
  post: ExperienceEndpointPost,
  named: 'route',
  row: ({ experienceGroupIds: _, ...given }) => ({ ...ENDPOINT_DEFAULTS, ...given, ...checked(given) }),
};

/** Endpoints of the version that is being developed. */
export const BUNDLED_EXPERIENCE_ENDPOINTS = bundled({
  ...ENDPOINT,
  holding: EXPERIENCE_ENDPOINTS,
  place: { file: () => fileOf('develop') },
  linked: {
    experienceGroupIds: {
      table: 'experience_group_endpoints',
      own: 'endpoint_id',
      other: 'group_id',
      others: 'experience_groups',
    },
  },
});

/** Endpoints that versions of the experience keep. */
export const KEPT_EXPERIENCE_ENDPOINTS = bundled({
  ...ENDPOINT,
  holding: EXPERIENCE_ENDPOINT_VERSIONS,
  also: ['experienceVersionId'],
  known: KEPT_COMPUTED,
  key: KEPT_KEY,
  order: KEPT_IN_ORDER,
  place: { file: (endpoint) => fileOf(keptIn(endpoint)) },
});
