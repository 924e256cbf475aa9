import { makeFlow, makeVersion } from '../../../../test/make/flows.js';
import { makeApplication } from '../../../../test/make/make.js';
import { ResourceNodes } from '../../../../test/make/resource-nodes.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { DuePresses } from './due-presses.js';
import { ScheduledPresses } from './scheduled-presses.js';

const { test, user, application } = suite();
const nodes = new ResourceNodes(test, user, application);
const BUTTON = { type: 'virtualButton', key: 'go', meta: { uiId: 'ui-1' }, outputIds: [] };
const DAY = 86_400;

const target = (more: object = {}) =>
  makeFlow(test, user.token, application.id, { triggers: [BUTTON], ...more });

/** Schedules or cancels a press, and returns what the node writes to `r`. */
async function trigger(flow: { id: string }, config: object, payload: object = {}): Promise<any> {
  const settings = {
    triggerWorkflowId: flow.id,
    triggerVirtualButtonId: 'go',
    resultPath: 'r',
    behavior: 'schedule',
    ...config,
  };
  const done = await nodes.execute('WorkflowTriggerNode', settings, payload);
  return (done.payload as { r: unknown }).r;
}

const scheduled = ({ id }: { id: string }): Promise<{ runId: string; dueAt: Date }[]> =>
  test.dataSource.query(
    'SELECT run_id AS "runId", due_at AS "dueAt" FROM scheduled_presses WHERE flow_id = $1 ORDER BY run_id',
    [id],
  );
const isGone = (flow: { id: string }) => waitUntil(async () => (await scheduled(flow)).length === 0);
const makeDue = ({ id }: { id: string }) =>
  test.dataSource.query(`UPDATE scheduled_presses SET due_at = now() - interval '1 ms' WHERE flow_id = $1`, [
    id,
  ]);
const runsOf = ({ id }: { id: string }) => requestedRuns(test, { flowId: id });
const secondsUntil = (date: Date) => (date.getTime() - Date.now()) / 1000;

describe('A scheduled press', () => {
  it('runs the workflow once it is due, with the payload of the time at which it was scheduled', async () => {
    const flow = await target();
    const config = {
      scheduling: 'relative',
      secondsTemplate: '{{wait}}',
      payloadTemplate: '{"z":{{n}},"a":1}',
    };
    const { runId } = await trigger(flow, config, { wait: DAY, n: 7 });
    expect(await runsOf(flow)).toEqual([]);
    const [press] = await scheduled(flow);
    expect(press).toMatchObject({ runId });
    expect(Math.abs(secondsUntil(press!.dueAt) - DAY)).toBeLessThan(60);
    await makeDue(flow);
    await isGone(flow);
    expect(await runsOf(flow)).toEqual([
      expect.objectContaining({
        flowVersionId: null,
        trigger: {
          type: 'virtualButton',
          key: 'go',
          data: { z: 7, a: 1 },
          sourceId: nodes.flow.id,
          sourceType: 'flow',
        },
      }),
    ]);
  });

  it('does not run a workflow of devices here', async () => {
    const flow = await target({ flowClass: 'edge', minimumAgentVersion: '1.5.0' });
    await trigger(flow, { scheduling: 'relative', secondsTemplate: String(DAY) });
    expect(await scheduled(flow)).toHaveLength(1);
    await makeDue(flow);
    await isGone(flow);
    expect(await runsOf(flow)).toEqual([]);
  });

  it('is due at a date, or at once if that has passed', async () => {
    const flow = await target();
    const dateTemplate = new Date(Date.now() + DAY * 1000).toISOString();
    expect(await trigger(flow, { scheduling: 'absolute', dateTemplate, runIdTemplate: 'tomorrow' })).toEqual({
      runId: 'tomorrow',
    });
    expect((await scheduled(flow))[0]!.dueAt.toISOString()).toBe(dateTemplate);
    await trigger(
      flow,
      {
        scheduling: 'absolute',
        dateTemplate: '{{at}}',
        runIdTemplate: 'tomorrow',
      },
      { at: new Date(0) },
    );
    await isGone(flow);
    expect(await runsOf(flow)).toMatchObject([{ trigger: { data: {} } }]);
  });

  it('replaces the one with its run ID, and is cancelled by it', async () => {
    const [one, other] = [await target(), await target()];
    const config = { secondsTemplate: DAY, runIdTemplate: 'again' };
    await trigger(one, config);
    await trigger(other, config);
    expect(await scheduled(one)).toEqual([]);
    expect(await scheduled(other)).toMatchObject([{ runId: 'again' }]);
    const cancel = { behavior: 'cancel', runIdTemplate: '{{id}}' };
    expect(await trigger(other, cancel, { id: 'unknown' })).toEqual({ runId: 'unknown' });
    expect(await scheduled(other)).toHaveLength(1);
    expect(await trigger(other, cancel, { id: 'again' })).toEqual({ runId: 'again' });
    expect(await scheduled(other)).toEqual([]);
    await expect(trigger(other, cancel)).rejects.toMatchObject({ message: 'runIdTemplate is required' });
  });

  it('is not cancelled by another application', async () => {
    const flow = await target();
    await trigger(flow, { secondsTemplate: DAY, runIdTemplate: 'mine' });
    const foreign = await makeApplication(test, user.token);
    const port = test.app.get(ScheduledPresses, { strict: false });
    const actor = { id: 'run', applicationId: foreign.id, flowId: flow.id };
    await port.cancel(actor, 'mine');
    expect(await scheduled(flow)).toHaveLength(1);
    const press = { runId: '', flowId: flow.id, key: 'go', flowVersion: 'default', payload: 1 };
    expect(await port.schedule(actor, { ...press, dueAt: new Date() })).toMatchObject({
      error: { type: 'NotFound', statusCode: 404 },
    });
  });

  it('finds the button by the ID of the editor, and uses its payload when it is due', async () => {
    const flow = await target({ triggers: [{ ...BUTTON, meta: { uiId: 'ui-1', payload: '{"temp":7}' } }] });
    await trigger(flow, { triggerVirtualButtonId: 'ui-1', secondsTemplate: 0 });
    await isGone(flow);
    expect(await runsOf(flow)).toMatchObject([{ trigger: { key: 'go', data: { temp: 7 } } }]);
  });

  it.each([
    [{ secondsTemplate: 1, triggerVirtualButtonId: 'none' }, /key is not a virtual button/],
    [{ secondsTemplate: 1, flowVersionTemplate: 'v9' }, /flowVersion is not a version/],
    [{ secondsTemplate: -1 }, /secondsTemplate must be a number from 0 to 31622400/],
    [{ secondsTemplate: 'soon' }, /secondsTemplate must be/],
    [{}, /secondsTemplate must be/],
    [{ scheduling: 'absolute', dateTemplate: '2199-01-01' }, /dateTemplate must be a date/],
    [{ scheduling: 'absolute', dateTemplate: 'soon' }, /dateTemplate must be a date/],
    [{ secondsTemplate: 1, payloadTemplateType: 'string', payloadTemplate: '{{{long}}}' }, /64 KiB/],
    [{ secondsTemplate: 1, runIdTemplate: 'a\u0000' }, /runId/],
  ])('is refused with %j', async (config, message) => {
    const flow = await target();
    const press = trigger(flow, config, { long: 'x'.repeat(70_000) });
    await expect(press).rejects.toMatchObject({ message: expect.stringMatching(message) });
    expect(await scheduled(flow)).toEqual([]);
  });

  it('runs the version that it names, and the one that is the default when it is due', async () => {
    const flow = await target();
    await trigger(flow, { secondsTemplate: DAY });
    const version = await makeVersion(test, user.token, flow, { triggers: [BUTTON] });
    await trigger(flow, { secondsTemplate: DAY, flowVersionTemplate: 'develop' });
    const path = `/applications/${application.id}/flows/${flow.id}`;
    await test.client.patch(path, { defaultVersionId: version.id }, { token: user.token });
    await makeDue(flow);
    await isGone(flow);
    const versions = (await runsOf(flow)).map(({ flowVersionId }) => flowVersionId);
    expect(versions.sort()).toEqual([version.id, null].sort());
  });

  it.each(['is disabled', 'has no such button', 'is deleted'])(
    'is dropped if the workflow %s',
    async (how) => {
      const flow = await target();
      await trigger(flow, { secondsTemplate: DAY });
      const path = `/applications/${application.id}/flows/${flow.id}`;
      if (how === 'is deleted') await test.client.delete(path, { token: user.token });
      else
        await test.client.patch(path, how === 'is disabled' ? { enabled: false } : { triggers: [] }, {
          token: user.token,
        });
      await makeDue(flow);
      await isGone(flow);
      expect(await runsOf(flow)).toEqual([]);
    },
  );

  it('is pressed once by several workers', async () => {
    const flow = await target();
    for (let n = 0; n < 5; n++) await trigger(flow, { secondsTemplate: DAY });
    await makeDue(flow);
    const worker = test.app.get<{ runBatch(): Promise<unknown> }>(DuePresses, { strict: false });
    await Promise.all(Array.from({ length: 4 }, () => worker.runBatch()));
    await isGone(flow);
    expect(await runsOf(flow)).toHaveLength(5);
  });

  it('is one of at most a thousand of an application', async () => {
    const flow = await target();
    await test.dataSource.query(
      `INSERT INTO scheduled_presses SELECT $1, 'n' || n, $2, $2, 'default', 'go', '{}', now() + interval '1 day'
       FROM generate_series(1, 1000) n`,
      [application.id, flow.id],
    );
    await expect(trigger(flow, { secondsTemplate: DAY })).rejects.toMatchObject({
      message: 'An application can have at most 1000 scheduled presses',
    });
    await trigger(flow, { secondsTemplate: DAY, runIdTemplate: 'n7' });
    await test.dataSource.query('DELETE FROM scheduled_presses WHERE flow_id = $1', [flow.id]);
  });
});
