import type { Family } from '../../../platform/families.js';
import { WhitelabelsModule } from './whitelabels.module.js';

/** Answers that clients of white-labeled platforms expect. */
export const WHITELABELS_FAMILY: Family = {
  modules: [WhitelabelsModule],
};
