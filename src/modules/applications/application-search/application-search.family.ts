import type { Family } from '../../../platform/families.js';
import { ApplicationSearchModule } from './application-search.module.js';

/** Search through the resources of an application. */
export const APPLICATION_SEARCH_FAMILY: Family = {
  modules: [ApplicationSearchModule],
};
