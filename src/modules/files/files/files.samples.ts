import { APPLICATION, fileForm } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies, type SampleRows } from '../../../../test/contract/samples.js';
import { filled } from '../../../../test/suites/hostile/operations.js';
import { uniqueName } from '../../../../test/make/make.js';

export const ROWS: SampleRows = {
  [`${APPLICATION}/file/{fileId}`]: async (samples, ids) => {
    const body = { name: uniqueName('file'), type: 'file' };
    return (await samples.send('POST', filled(`${APPLICATION}/files`, ids), body)).body.id;
  },
};

export const BODIES: SampleBodies = {
  'file.upload': () => ({ body: fileForm('file') }),
};
