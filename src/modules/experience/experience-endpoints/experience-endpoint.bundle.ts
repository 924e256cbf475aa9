import { pathPart } from '../../../platform/bundles/bundle-names.js';
import { bundled, type BundledFacts, type LinkTable } from '../../../platform/bundles/bundled.js';
import { DEVELOPED_VERSION } from '../experience-versions/experience-version.columns.js';
import { KEPT_COMPUTED, KEPT_IN_ORDER, KEPT_KEY } from './endpoint.columns.js';
import { checked, ENDPOINT_DEFAULTS } from './endpoint.rules.js';
import {
  EXPERIENCE_ENDPOINT_VERSIONS,
  EXPERIENCE_ENDPOINTS,
  ExperienceEndpointPost,
  type EndpointRow,
  type ExperienceEndpointVersion,
} from './experience-endpoint.resource.js';

/** An endpoint in a bundle with the name of its version. */
type Versioned<T extends EndpointRow> = T & { version?: string };

const fileOf = ({ version = '' }: { version?: string }): string =>
  `experience/${pathPart(version)}/endpoints`;

const rowOf = ({ experienceGroupIds: _, ...given }: ExperienceEndpointPost) => ({
  ...ENDPOINT_DEFAULTS,
  ...given,
  ...checked(given),
});

const FACTS = {
  resourceType: 'ExperienceEndpoint',
  word: 'experienceEndpoint',
  post: ExperienceEndpointPost,
  also: ['version'],
  named: 'route',
  identity: ['method'],
  place: { file: fileOf },
} satisfies Partial<BundledFacts<Versioned<EndpointRow>, ExperienceEndpointPost>>;

const GROUPS: LinkTable = {
  table: 'experience_group_endpoints',
  own: 'endpoint_id',
  other: 'group_id',
  others: 'experience_groups',
};

/** Endpoints of `develop` in bundles. */
export const BUNDLED_EXPERIENCE_ENDPOINTS = bundled<Versioned<EndpointRow>, ExperienceEndpointPost>({
  ...FACTS,
  holding: EXPERIENCE_ENDPOINTS,
  known: [DEVELOPED_VERSION],
  linked: { experienceGroupIds: GROUPS },
  row: rowOf,
});

/** Endpoints of experience versions in bundles. */
export const KEPT_EXPERIENCE_ENDPOINTS = bundled<
  Versioned<ExperienceEndpointVersion>,
  ExperienceEndpointPost
>({
  ...FACTS,
  holding: EXPERIENCE_ENDPOINT_VERSIONS,
  known: KEPT_COMPUTED,
  key: KEPT_KEY,
  order: KEPT_IN_ORDER,
  linked: {
    experienceGroupIds: { ...GROUPS, table: 'experience_endpoint_version_groups', within: 'version_id' },
  },
  row: (body, { version }) => ({ ...rowOf(body), versionId: version!.id }),
});
