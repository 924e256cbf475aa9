import { bundled } from '../../../platform/bundles/bundled.js';
import { holding } from '../../../platform/holdings/holding.js';
import { Application, ApplicationPost } from './application.resource.js';

/**
 * The application in a bundle, with its readme as a separate file. The slug is not copied, and the archive settings
 * contain secrets.
 */
export const BUNDLED_APPLICATION = bundled({
  holding: holding(Application, { table: 'applications', title: 'Application', deletedAt: 'deletedAt' }),
  resourceType: 'Application',
  placeholderWord: 'application',
  place: { file: () => 'application' },
  post: ApplicationPost,
  omitted: ['endpointSlug', 'expUserTokenCutoff', 'appliedTemplateIds', 'archiveConfig'],
  row: ({ orgId: _, applicationTemplateId: __, ...post }) => post,
});
