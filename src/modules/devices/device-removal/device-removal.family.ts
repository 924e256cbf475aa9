import type { Family } from '../../../platform/families.js';
import { DEVICE_PURGE } from './device-removal.jobs.js';
import { DeviceRemovalModule } from './device-removal.module.js';

/** Permanent removal of deleted devices. */
export const DEVICE_REMOVAL_FAMILY: Family = {
  modules: [DeviceRemovalModule],
  jobs: [DEVICE_PURGE],
};
