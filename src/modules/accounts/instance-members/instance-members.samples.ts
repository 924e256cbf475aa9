import { userOfInstance } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies } from '../../../../test/contract/samples.js';

export const BODIES: SampleBodies = {
  'instanceMembers.post': async (samples) => ({
    body: { userId: await userOfInstance(samples), role: 'view' },
  }),
};
