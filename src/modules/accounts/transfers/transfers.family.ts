import type { Family } from '../../../platform/families.js';
import { TransfersModule } from './transfers.module.js';

/** Transfers of resources to another owner. */
export const TRANSFERS_FAMILY: Family = {
  modules: [TransfersModule],
};
