import type { Family } from '../../../platform/families.js';
import { DeviceAttributesModule } from './device-attributes.module.js';

/** Attributes that devices report. */
export const DEVICE_ATTRIBUTES_FAMILY: Family = {
  modules: [DeviceAttributesModule],
  tag: {
    name: 'deviceAttributes',
    title: 'Device attributes',
    group: 'Devices',
    resources: ['deviceAttributes', 'deviceAttribute'],
    description: 'The attributes that a device reports.',
  },
};
