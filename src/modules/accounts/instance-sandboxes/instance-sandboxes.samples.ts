import { SANDBOX, userOfInstance } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies, type SampleRows } from '../../../../test/contract/samples.js';
import { filled } from '../../../../test/suites/hostile/operations.js';

export const ROWS: SampleRows = {
  [SANDBOX]: userOfInstance,
};

export const BODIES: SampleBodies = {
  'instanceSandbox.undelete': async (samples) => {
    await samples.send('DELETE', filled(SANDBOX, await samples.idsOf(SANDBOX)));
    return {};
  },
};
