import { type SampleBodies } from '../../../../test/contract/samples.js';
import { uniqueName } from '../../../../test/make/make.js';

export const BODIES: SampleBodies = {
  'device.export': () => ({ body: { email: `${uniqueName()}@example.com` } }),
  'devices.export': () => ({ body: { email: `${uniqueName()}@example.com` } }),
  'data.export': () => ({ body: { email: `${uniqueName()}@example.com`, deviceIds: [] } }),
};
