import type { Family } from '../../../platform/families.js';
import { DEVICE_CONNECTIONS, DeviceConnection } from './device-connection.entity.js';
import { DeviceConnectionsModule } from './device-connections.module.js';

/** Connection status of devices and the log of their connections. */
export const DEVICE_CONNECTIONS_FAMILY: Family = {
  modules: [DeviceConnectionsModule],
  entities: [DeviceConnection],
  holdings: [DEVICE_CONNECTIONS],
  neverBundled: {
    device_connections: 'History.',
  },
};
