import type { Family } from '../../../platform/families.js';
import { DeviceDataModule } from './device-data.module.js';

/** Queries of the stored data of devices. */
export const DEVICE_DATA_FAMILY: Family = {
  modules: [DeviceDataModule],
  tag: {
    name: 'deviceData',
    title: 'Device data',
    group: 'Devices',
    resources: ['data'],
    description: 'The reported data of devices of an application, as time series or last values.',
    after: 'deviceAttributes',
  },
};
