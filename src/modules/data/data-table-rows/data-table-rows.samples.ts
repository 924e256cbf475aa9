import { APPLICATION } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies } from '../../../../test/contract/samples.js';
import { filled } from '../../../../test/suites/hostile/operations.js';
import { uniqueName } from '../../../../test/make/make.js';

export const BODIES: SampleBodies = {
  // A row of its own, so that it deletes something however often it is asked for.
  'dataTableRows.delete': async (samples) => {
    const serial = uniqueName('serial');
    const rows = filled(`${DATA_TABLE}/rows`, await samples.idsOf(DATA_TABLE));
    await samples.post(rows, { serial });
    return { body: { serial } };
  },
  'dataTableRows.export': () => ({ body: { email: `${uniqueName()}@example.com` } }),
};

const DATA_TABLE = `${APPLICATION}/data-tables/{dataTableId}`;
