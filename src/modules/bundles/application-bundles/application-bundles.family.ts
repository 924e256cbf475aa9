import type { Family } from '../../../platform/families.js';
import { ApplicationBundlesModule } from './application-bundles.module.js';
import { APPLICATION_EXPORT } from './application-export.job.js';

/** Exports of applications as bundles. */
export const APPLICATION_BUNDLES_FAMILY: Family = {
  modules: [ApplicationBundlesModule],
  jobs: [APPLICATION_EXPORT],
};
