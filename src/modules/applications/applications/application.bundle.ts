import { bundled } from '../../../platform/bundles/bundled.js';
import { holding } from '../../../platform/holdings/holding.js';
import { Application, ApplicationPost } from './application.resource.js';

/** The application itself, whose readme is a file beside it. Its slug is its own, and its archive holds the secrets of a store. */
export const BUNDLED_APPLICATION = bundled({
  holding: holding(Application, { table: 'applications', title: 'Application', deletedAt: 'deletedAt' }),
  resourceType: 'Application',
  word: 'application',
  place: { file: () => 'application' },
  post: ApplicationPost,
  without: ['endpointSlug', 'expUserTokenCutoff', 'appliedTemplateIds', 'archiveConfig'],
  row: ({ orgId: _, applicationTemplateId: __, ...post }) => post,
});
