import type { Family } from '../../../platform/families.js';
import { DeviceAttributesModule } from './device-attributes.module.js';

/** Attributes that devices report. */
export const DEVICE_ATTRIBUTES_FAMILY: Family = {
  modules: [DeviceAttributesModule],
  tags: [
    { name: 'deviceAttributes', description: 'List and create the attributes that a device reports.' },
    { name: 'deviceAttribute', description: 'Read, update and delete an attribute of a device.' },
  ],
};
