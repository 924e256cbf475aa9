import { pathPart } from '../../../platform/bundles/bundle-names.js';
import { bundled, type BundleDefinition } from '../../../platform/bundles/bundled.js';
import { DEVELOPED_VERSION } from '../experience-versions/experience-version.columns.js';
import {
  EXPERIENCE_VIEW_VERSIONS,
  EXPERIENCE_VIEWS,
  ExperienceViewPost,
  type ExperienceViewVersion,
  type ViewRow,
} from './experience-view.resource.js';
import { VERSION_COMPUTED, VERSION_ORDER, VERSION_KEY, VIEWS_IN_ORDER } from './view.columns.js';
import { checkView, EMPTY_VIEW } from './view.rules.js';

/** A view in a bundle with the name of its version. */
type Versioned<T extends ViewRow> = T & { version?: string };

const folderOf = ({ version = '', viewType }: Versioned<ViewRow>): string =>
  `experience/${pathPart(version)}/${viewType}s`;

const rowOf = (post: ExperienceViewPost) => {
  checkView(post);
  return { ...EMPTY_VIEW, ...post, layoutId: post.layoutId?.toLowerCase() ?? null };
};

/** The body of each view is a separate file. */
const BUNDLE_DEFINITION = {
  resourceType: 'ExperienceView',
  placeholderWord: 'experienceView',
  post: ExperienceViewPost,
  additional: ['version'],
  identity: ['viewType'],
  links: ['layoutId'],
  place: { file: (view) => `${folderOf(view)}/${view.viewType}` },
  content: {
    kind: { text: 'body' },
    path: (view) => `${folderOf(view)}/${pathPart(view.name)}`,
    ending: '.hbs',
  },
} satisfies Partial<BundleDefinition<Versioned<ViewRow>, ExperienceViewPost>>;

/** Views of `develop` in bundles. */
export const BUNDLED_EXPERIENCE_VIEWS = bundled<Versioned<ViewRow>, ExperienceViewPost>({
  ...BUNDLE_DEFINITION,
  holding: EXPERIENCE_VIEWS,
  computed: [DEVELOPED_VERSION],
  order: VIEWS_IN_ORDER,
  deferred: { layoutId: { others: EXPERIENCE_VIEWS.table } },
  row: rowOf,
});

/** Views of experience versions in bundles. */
export const BUNDLED_EXPERIENCE_VIEW_VERSIONS = bundled<Versioned<ExperienceViewVersion>, ExperienceViewPost>(
  {
    ...BUNDLE_DEFINITION,
    holding: EXPERIENCE_VIEW_VERSIONS,
    computed: VERSION_COMPUTED,
    key: VERSION_KEY,
    order: VERSION_ORDER,
    row: (body, { version }) => ({ ...rowOf(body), versionId: version!.id }),
  },
);
