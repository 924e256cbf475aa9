import type { Family } from '../../../platform/families.js';
import { DeviceTriggersModule } from './device-triggers.module.js';

/** Workflow triggers for device events. */
export const DEVICE_TRIGGERS_FAMILY: Family = {
  modules: [DeviceTriggersModule],
};
