import type { Family } from '../../../platform/families.js';
import { BUNDLED_DEVICES } from './device.bundle.js';
import { DEVICES, Device } from './device.resource.js';
import { DevicesModule } from './devices.module.js';
import { RECENT_DEVICE } from './devices.repository.js';

/** Devices of applications. */
export const DEVICES_FAMILY: Family = {
  modules: [DevicesModule],
  entities: [Device],
  holdings: [DEVICES],
  bundles: [BUNDLED_DEVICES],
  recentKinds: { device: RECENT_DEVICE },
  tag: {
    name: 'devices',
    title: 'Devices',
    group: 'Devices',
    resources: ['devices', 'device'],
    description: 'Devices of an application: their state, commands, connections, exports and event streams.',
  },
};
