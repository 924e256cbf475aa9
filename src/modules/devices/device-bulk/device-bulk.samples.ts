import { APPLICATION } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies, type Samples } from '../../../../test/contract/samples.js';
import { filled } from '../../../../test/suites/hostile/operations.js';
import { uniqueName } from '../../../../test/make/make.js';

export const BODIES: SampleBodies = {
  // Each finds a device of its own, so that it changes something however often it is asked for.
  'devices.patch': async (samples) => ({
    body: { deviceIds: [(await newDevice(samples)).id], updateFields: { keepDuplicates: true } },
  }),
  'devices.delete': async (samples) => {
    const { name } = await newDevice(samples);
    return { body: { query: { name } } };
  },
  'devices.restore': async (samples) => {
    const { path, name } = await newDevice(samples);
    await samples.send('DELETE', path);
    return { body: { query: { name } } };
  },
};

async function newDevice(samples: Samples): Promise<{ id: string; name: string; path: string }> {
  const devices = filled(`${APPLICATION}/devices`, await samples.idsOf(APPLICATION));
  const { id, name } = await samples.post(devices, { name: uniqueName('device') });
  return { id, name, path: `${devices}/${id}` };
}
