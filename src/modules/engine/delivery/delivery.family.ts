import type { Family } from '../../../platform/families.js';
import { DeliveryModule } from './delivery.module.js';

/** Execution of requested runs. */
export const DELIVERY_FAMILY: Family = {
  modules: [DeliveryModule],
};
