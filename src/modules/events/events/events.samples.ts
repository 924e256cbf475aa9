import { APPLICATION } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies, type Samples } from '../../../../test/contract/samples.js';
import { filled } from '../../../../test/suites/hostile/operations.js';
import { uniqueName } from '../../../../test/make/make.js';

export const BODIES: SampleBodies = {
  'events.export': () => ({ body: { email: `${uniqueName()}@example.com` } }),
  'events.patch': async (samples) => ({
    body: { state: 'resolved' },
    query: `filter=${await newEvent(samples)}`,
  }),
  'events.delete': async (samples) => ({ body: { subject: await newEvent(samples) } }),
};

async function newEvent(samples: Samples): Promise<string> {
  const events = filled(`${APPLICATION}/events`, await samples.idsOf(APPLICATION));
  const { subject } = await samples.post(events, { level: 'info', subject: uniqueName('event') });
  return subject;
}
