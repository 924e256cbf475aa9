import { pathPart } from '../../../platform/bundles/bundle-names.js';
import { bundled } from '../../../platform/bundles/bundled.js';
import { EXPERIENCE_VERSIONS, ExperienceVersionPost } from './experience-version.resource.js';
import { checkSettings, checkVersionName, EMPTY_SETTINGS } from './experience-version.rules.js';

/**
 * Versions of the experience in bundles with their settings, including `develop`, whose ID is that of the application.
 */
export const BUNDLED_EXPERIENCE_VERSIONS = bundled({
  holding: EXPERIENCE_VERSIONS,
  resourceType: 'ExperienceVersion',
  placeholderWord: 'experienceVersion',
  place: { each: ({ version }) => `experience/${pathPart(version)}/version` },
  post: ExperienceVersionPost,
  nameProperty: 'version',
  row: ({ domainIds: _, slugIds: __, ...post }) => {
    checkVersionName(post.version);
    checkSettings(post);
    return { ...EMPTY_SETTINGS, ...post };
  },
});
