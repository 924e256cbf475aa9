import { type SampleBodies } from '../../../../test/contract/samples.js';
import { unique } from '../../../../test/make/make.js';

export const BODIES: SampleBodies = {
  'device.export': () => ({ body: { email: `${unique()}@example.com` } }),
  'devices.export': () => ({ body: { email: `${unique()}@example.com` } }),
  'data.export': () => ({ body: { email: `${unique()}@example.com`, deviceIds: [] } }),
};
