import { makeFlow } from '../../../../test/make/flows.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { FlowRun } from '../../flows/flow-runs/flow-run.entity.js';
import { FlowRunTrace } from '../../flows/flow-runs/flow-run-trace.entity.js';

const { test, user, application } = suite({ PROCESS_ROLE: 'all' }, { database: 'own' });
const triggers = [{ type: 'virtualButton', key: 'go', outputIds: [['log']] }];
const log = { id: 'log', type: 'DebugNode', meta: { label: 'Log it' }, outputIds: [['throw']] };
const thrown = { id: 'throw', type: 'ThrowErrorNode', config: { messageTemplate: 'no' }, outputIds: [] };

async function pressed(nodes: object[], presses = 1): Promise<any> {
  const flow = await makeFlow(test, user.token, application.id, { triggers, nodes });
  const path = `/applications/${application.id}/flows/${flow.id}/virtualButton`;
  for (let i = 0; i < presses; i++) await test.client.post(path, { key: 'go' }, { token: user.token });
  const { manager } = test.dataSource;
  await waitUntil(async () => (await manager.countBy(FlowRun, { flowId: flow.id })) === presses);
  return flow;
}

const tracesOf = (flow: any) => test.dataSource.manager.findBy(FlowRunTrace, { flowId: flow.id });

describe('Traces of runs', () => {
  it('are stored with each failed run', async () => {
    const traces = await tracesOf(await pressed([log, thrown], 2));
    const time = expect.any(Number) as number;
    expect(traces.map(({ applicationId, trace }) => ({ applicationId, trace }))).toEqual(
      Array.from({ length: 2 }, () => ({
        applicationId: application.id,
        trace: {
          reason: 'failed',
          count: 2,
          nodes: [
            { id: 'log', type: 'DebugNode', label: 'Log it' },
            { id: 'throw', type: 'ThrowErrorNode' },
          ],
          entries: [
            [0, time, time, 0],
            [1, time, time, -2],
          ],
        },
      })),
    );
    const runs = await test.dataSource.manager.findBy(FlowRun, { applicationId: application.id });
    expect(traces.map(({ id }) => id).sort()).toEqual(runs.map(({ id }) => id).sort());
  });

  it('are stored for one of several runs that succeed', async () => {
    const flow = await pressed([{ ...log, outputIds: [] }], 3);
    expect((await tracesOf(flow)).map(({ trace }) => trace.reason)).toEqual(['sampled']);
  });

  it('are deleted with their workflow', async () => {
    const flow = await pressed([log, thrown]);
    expect(await tracesOf(flow)).toHaveLength(1);
    await test.client.delete(`/applications/${application.id}/flows/${flow.id}`, { token: user.token });
    await waitUntil(async () => (await tracesOf(flow)).length === 0);
  });
});
