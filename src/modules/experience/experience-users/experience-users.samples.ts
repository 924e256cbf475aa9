import { type SampleBodies } from '../../../../test/contract/samples.js';
import { PASSWORD, uniqueName } from '../../../../test/make/make.js';

export const BODIES: SampleBodies = {
  'experienceUsers.post': () => ({ body: { email: `${uniqueName()}@example.com`, password: PASSWORD } }),
};
