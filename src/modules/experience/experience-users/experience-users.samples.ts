import { type SampleBodies } from '../../../../test/contract/samples.js';
import { PASSWORD, unique } from '../../../../test/make/make.js';

export const BODIES: SampleBodies = {
  'experienceUsers.post': () => ({ body: { email: `${unique()}@example.com`, password: PASSWORD } }),
};
