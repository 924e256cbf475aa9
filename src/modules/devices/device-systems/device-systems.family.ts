import type { Family } from '../../../platform/families.js';
import { DeviceSystemsModule } from './device-systems.module.js';

/** Systems, which report aggregated values of their child devices. */
export const DEVICE_SYSTEMS_FAMILY: Family = {
  modules: [DeviceSystemsModule],
};
