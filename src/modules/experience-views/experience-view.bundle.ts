import { pathPart } from '../../platform/bundles/bundle-names.js';
import { bundled, type BundledFacts } from '../../platform/bundles/bundled.js';
import {
  EXPERIENCE_VIEW_VERSIONS,
  EXPERIENCE_VIEWS,
  ExperienceViewPost,
  type ViewRow,
} from './experience-view.resource.js';
import { KEPT_COMPUTED, KEPT_IN_ORDER, KEPT_KEY, VIEWS_IN_ORDER } from './view.columns.js';
import { checkView, EMPTY_VIEW } from './view.rules.js';

const folderOf = (version: string, { viewType }: ViewRow): string => `experience/${version}/${viewType}s`;

/** The version that keeps a view, as part of a path. */
const keptIn = (view: ViewRow): string => pathPart((view as ViewRow & { keptIn: string }).keptIn);

const VIEW: Omit<BundledFacts<ViewRow, ExperienceViewPost>, 'holding' | 'place'> = {
  resourceType: 'ExperienceView',
  word: 'experienceView',
  post: ExperienceViewPost,
  links: ['layoutId'],
  row: (post) => {
    checkView(post);
    return { ...EMPTY_VIEW, ...post, layoutId: post.layoutId?.toLowerCase() ?? null };
  },
};

/** Views that are being developed; the body of each is a file. */
export const BUNDLED_EXPERIENCE_VIEWS = bundled({
  ...VIEW,
  holding: EXPERIENCE_VIEWS,
  order: VIEWS_IN_ORDER,
  place: { file: (view) => `${folderOf('develop', view)}/${view.viewType}` },
  content: {
    kind: { text: 'body' },
    path: (view) => `${folderOf('develop', view)}/${pathPart(view.name)}`,
    ending: '.hbs',
  },
});

/** Views that versions of the experience keep. */
export const KEPT_EXPERIENCE_VIEWS = bundled({
  ...VIEW,
  holding: EXPERIENCE_VIEW_VERSIONS,
  also: ['experienceVersionId'],
  known: KEPT_COMPUTED,
  key: KEPT_KEY,
  order: KEPT_IN_ORDER,
  place: { file: (view) => `${folderOf(keptIn(view), view)}/${view.viewType}` },
  content: {
    kind: { text: 'body' },
    path: (view) => `${folderOf(keptIn(view), view)}/${pathPart(view.name)}`,
    ending: '.hbs',
  },
});
