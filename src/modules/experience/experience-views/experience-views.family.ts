import type { Family } from '../../../platform/families.js';
import { BUNDLED_EXPERIENCE_VIEWS, BUNDLED_EXPERIENCE_VIEW_VERSIONS } from './experience-view.bundle.js';
import {
  EXPERIENCE_VIEWS,
  EXPERIENCE_VIEW_VERSIONS,
  ExperienceView,
  ExperienceViewVersion,
  FROZEN_VIEWS,
} from './experience-view.resource.js';
import { ExperienceViewsModule } from './experience-views.module.js';

/** Views, from which pages of experiences are rendered. */
export const EXPERIENCE_VIEWS_FAMILY: Family = {
  modules: [ExperienceViewsModule],
  entities: [ExperienceView, ExperienceViewVersion],
  holdings: [EXPERIENCE_VIEWS, EXPERIENCE_VIEW_VERSIONS],
  bundles: [BUNDLED_EXPERIENCE_VIEWS],
  keptBundles: [BUNDLED_EXPERIENCE_VIEW_VERSIONS],
  frozen: [FROZEN_VIEWS],
  tag: {
    name: 'experienceViews',
    title: 'Views',
    group: 'Experience',
    resources: ['experienceViews', 'experienceView'],
    description:
      'Views, the templates from which the pages of an experience are rendered, and their links to other resources.',
  },
};
