import { APPLICATION } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies, type SampleRows } from '../../../../test/contract/samples.js';
import { filled } from '../../../../test/suites/hostile/operations.js';
import { uniqueName } from '../../../../test/make/make.js';

export const ROWS: SampleRows = {
  [`${APPLICATION}/devices/{deviceId}/attributes/{name}`]: async (samples, ids) => {
    const body = { name: uniqueName('attribute'), dataType: 'number' };
    const path = filled(`${APPLICATION}/devices/{deviceId}/attributes`, ids);
    return (await samples.send('POST', path, body)).body.name;
  },
};

export const BODIES: SampleBodies = {
  'deviceAttributes.post': () => ({ body: { name: uniqueName('attribute'), dataType: 'number' } }),
};
