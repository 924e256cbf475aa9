import type { Family } from '../../../platform/families.js';
import { DEVICE_HOURS_DUE, DeviceHourDue } from './device-hour-due.entity.js';
import { DEVICE_HOURS, DeviceHour } from './device-hour.entity.js';
import { DEVICE_POINTS, DevicePoint } from './device-point.entity.js';
import { DEVICE_STATES, DeviceState } from './device-state.entity.js';
import { DeviceStateModule } from './device-state.module.js';

/** Stored reports of devices and their hourly sums. */
export const DEVICE_STATE_FAMILY: Family = {
  modules: [DeviceStateModule],
  entities: [DeviceHour, DeviceHourDue, DevicePoint, DeviceState],
  holdings: [DEVICE_STATES, DEVICE_HOURS_DUE, DEVICE_HOURS, DEVICE_POINTS],
  neverBundled: {
    device_hours: 'History.',
    device_hours_due: 'History.',
    device_points: 'History.',
    device_states: 'History.',
  },
};
