import type { Family } from '../../../platform/families.js';
import { DeviceBulkFault } from './device-bulk-fault.entity.js';
import { DEVICE_BULK } from './device-bulk.jobs.js';
import { DeviceBulkModule } from './device-bulk.module.js';

/** Bulk operations on devices. */
export const DEVICE_BULK_FAMILY: Family = {
  modules: [DeviceBulkModule],
  entities: [DeviceBulkFault],
  jobs: [DEVICE_BULK],
};
