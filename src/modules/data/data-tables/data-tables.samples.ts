import { APPLICATION } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies } from '../../../../test/contract/samples.js';
import { filled } from '../../../../test/suites/hostile/operations.js';
import { uniqueName } from '../../../../test/make/make.js';

export const BODIES: SampleBodies = {
  'dataTable.addColumn': () => ({
    body: { name: uniqueName('column'), dataType: 'number', constraint: 'optional' },
  }),
  'dataTable.removeColumn': async (samples) => {
    const name = uniqueName('column');
    const path = filled(`${DATA_TABLE}/column`, await samples.idsOf(DATA_TABLE));
    await samples.send('POST', path, { name, dataType: 'number', constraint: 'optional' });
    return { query: `columnName=${name}` };
  },
};

const DATA_TABLE = `${APPLICATION}/data-tables/{dataTableId}`;
