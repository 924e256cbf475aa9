import { type SampleBodies } from '../../../../test/contract/samples.js';
import { uniqueName } from '../../../../test/make/make.js';

export const BODIES: SampleBodies = {
  'experienceEndpoints.post': () => ({ body: { method: 'get', route: `/${uniqueName()}` } }),
};
