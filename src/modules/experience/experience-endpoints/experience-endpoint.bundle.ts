import { pathPart } from '../../../platform/bundles/bundle-names.js';
import { bundled, type BundleDefinition, type LinkTable } from '../../../platform/bundles/bundled.js';
import { DEVELOPED_VERSION } from '../experience-versions/experience-version.columns.js';
import { VERSION_COMPUTED, VERSION_ORDER, VERSION_KEY } from './endpoint.columns.js';
import { validateEndpoint, ENDPOINT_DEFAULTS } from './endpoint.rules.js';
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
  ...validateEndpoint(given),
});

const BUNDLE_DEFINITION = {
  resourceType: 'ExperienceEndpoint',
  placeholderWord: 'experienceEndpoint',
  post: ExperienceEndpointPost,
  additional: ['version'],
  nameProperty: 'route',
  identity: ['method'],
  place: { file: fileOf },
} satisfies Partial<BundleDefinition<Versioned<EndpointRow>, ExperienceEndpointPost>>;

const GROUPS: LinkTable = {
  table: 'experience_group_endpoints',
  own: 'endpoint_id',
  other: 'group_id',
  others: 'experience_groups',
};

/** Endpoints of `develop` in bundles. */
export const BUNDLED_EXPERIENCE_ENDPOINTS = bundled<Versioned<EndpointRow>, ExperienceEndpointPost>({
  ...BUNDLE_DEFINITION,
  holding: EXPERIENCE_ENDPOINTS,
  computed: [DEVELOPED_VERSION],
  linked: { experienceGroupIds: GROUPS },
  row: rowOf,
});

/** Endpoints of experience versions in bundles. */
export const BUNDLED_EXPERIENCE_ENDPOINT_VERSIONS = bundled<
  Versioned<ExperienceEndpointVersion>,
  ExperienceEndpointPost
>({
  ...BUNDLE_DEFINITION,
  holding: EXPERIENCE_ENDPOINT_VERSIONS,
  computed: VERSION_COMPUTED,
  key: VERSION_KEY,
  order: VERSION_ORDER,
  linked: {
    experienceGroupIds: {
      ...GROUPS,
      table: 'experience_endpoint_version_groups',
      sharedColumn: 'version_id',
    },
  },
  row: (body, { version }) => ({ ...rowOf(body), versionId: version!.id }),
});
