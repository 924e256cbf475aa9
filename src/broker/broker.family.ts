import type { Family } from '../platform/families.js';
import { MessagesApiModule } from './api/messages-api.module.js';
import { BrokerModule } from './broker.module.js';
import { BrokerProcess, DEVICE_SESSIONS, DeviceSession } from './sessions/device-session.entity.js';

/** The MQTT broker. */
export const BROKER_FAMILY: Family = {
  modules: [BrokerModule, MessagesApiModule],
  entities: [BrokerProcess, DeviceSession],
  holdings: [DEVICE_SESSIONS],
  neverBundled: {
    device_sessions: 'Connections of the devices of this application.',
  },
};
