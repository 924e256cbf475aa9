import { APPLICATION } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies, type SampleRows } from '../../../../test/contract/samples.js';
import { makeTracedRun } from '../../../../test/make/flows.js';
import { filled } from '../../../../test/suites/hostile/operations.js';

export const BODIES: SampleBodies = {
  'flow.pressVirtualButton': async (samples) => {
    const key = 'go';
    const path = filled(FLOW, await samples.idsOf(FLOW));
    await samples.send('PATCH', path, { triggers: [{ type: 'virtualButton', key }] });
    return { body: { key, payload: { temp: 99 } } };
  },
};

export const ROWS: SampleRows = {
  [`${APPLICATION}/flows/{flowId}/runs/{flowRunId}`]: ({ test }, { applicationId, flowId }) =>
    makeTracedRun(test, { applicationId: applicationId!, id: flowId! }),
};

const FLOW = `${APPLICATION}/flows/{flowId}`;
