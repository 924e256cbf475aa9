import type { Family } from '../../../platform/families.js';
import { DeviceStreamsModule } from './device-streams.module.js';

/** Streams of device events. */
export const DEVICE_STREAMS_FAMILY: Family = {
  modules: [DeviceStreamsModule],
};
