import { makeFlow, makeVersion, whileLocked } from '../../../../test/make/flows.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { Timers } from './timers.js';

const { test, user, application } = suite();

const timer = (config: object, key = 'tick') => ({ type: 'timer', key, config, outputIds: [] });
const flowWith = (triggers: object[], more: object = {}) =>
  makeFlow(test, user.token, application.id, { triggers, ...more });
const runsOf = ({ id }: { id: string }) => requestedRuns(test, { flowId: id });

const AGENT: Readonly<Record<string, object>> = { edge: { minimumAgentVersion: '1.0.0' } };

/** Returns the schedules of a workflow. */
const schedulesOf = ({ id }: { id: string }): Promise<{ key: string; dueAt: Date; isNew: boolean }[]> =>
  test.dataSource.query(
    `SELECT key, due_at AS "dueAt", specs IS NULL AS "isNew" FROM flow_schedules WHERE flow_id = $1 ORDER BY key`,
    [id],
  );

/** Waits until a worker has found the first times of a workflow, and returns its schedules. */
async function started(flow: { id: string }) {
  await waitUntil(async () => (await schedulesOf(flow)).every(({ isNew }) => !isNew));
  return schedulesOf(flow);
}

/** Waits until a worker has processed the timer of a workflow that is due. */
const moved = (flow: { id: string }) =>
  waitUntil(async () => {
    const [next] = await schedulesOf(flow);
    return next!.dueAt.getTime() > Date.now();
  });

/** Makes the timers of a workflow due, some seconds ago. */
const makeDue = (flow: { id: string }, secondsAgo = 0) => makeAllDue([flow], secondsAgo);

/** Makes the timers of workflows due at the same time. The column would round up, to a time that is still to come. */
const makeAllDue = (flows: readonly { id: string }[], secondsAgo = 0) =>
  test.dataSource.query(
    `UPDATE flow_schedules SET due_at = date_trunc('milliseconds', now()) - make_interval(secs => $2)
     WHERE flow_id = ANY ($1)`,
    [flows.map(({ id }) => id), secondsAgo],
  );

describe('A timer', () => {
  it('fires at each time, and not when it is saved', async () => {
    const flow = await flowWith([timer({ seconds: 86_400 })]);
    const [first] = await started(flow);
    expect(first!.dueAt.getTime()).toBeGreaterThan(Date.now() + 86_000_000);
    expect(await runsOf(flow)).toEqual([]);
    await makeDue(flow);
    await moved(flow);
    expect(await runsOf(flow)).toEqual([
      expect.objectContaining({
        applicationId: application.id,
        flowVersionId: null,
        trigger: { type: 'timer', key: 'tick', data: {} },
      }),
    ]);
    const [next] = await schedulesOf(flow);
    expect(next!.dueAt.getTime()).toBeGreaterThan(Date.now() + 86_000_000);
  });

  it('is fired once by several workers', async () => {
    const flows = await Promise.all(Array.from({ length: 5 }, () => flowWith([timer({ seconds: 86_400 })])));
    for (const flow of flows) await started(flow);
    await makeAllDue(flows);
    const worker = test.app.get<{ runBatch(): Promise<boolean> }>(Timers, { strict: false });
    await Promise.all(Array.from({ length: 4 }, () => worker.runBatch()));
    for (const flow of flows) {
      await moved(flow);
      expect(await runsOf(flow)).toHaveLength(1);
    }
  });

  it('fires for a calendar that was missed, and not for an interval', async () => {
    const calendar = await flowWith([timer({ cron: '0 0 1 1 *' })]);
    const interval = await flowWith([timer({ seconds: 86_400 })]);
    await started(calendar);
    await started(interval);
    await makeDue(calendar, 7200);
    await makeDue(interval, 7200);
    await moved(calendar);
    await moved(interval);
    expect(await runsOf(calendar)).toHaveLength(1);
    expect(await runsOf(interval)).toEqual([]);
  });

  it('does not fire while its workflow is disabled', async () => {
    const flow = await flowWith([timer({ seconds: 86_400 })], { enabled: false });
    await started(flow);
    await makeDue(flow);
    await moved(flow);
    expect(await runsOf(flow)).toEqual([]);
  });

  it.each(['edge', 'embedded'])('does not fire here for a workflow of class %s', async (flowClass) => {
    const flow = await flowWith([timer({ seconds: 86_400 })], { flowClass, ...AGENT[flowClass] });
    const never = `SELECT FROM flow_schedules WHERE flow_id = $1 AND due_at = 'infinity'`;
    await waitUntil(async () => (await test.dataSource.query(never, [flow.id])).length === 1);
    // A schedule from before this rule.
    const due = `UPDATE flow_schedules SET due_at = now() - interval '1 ms', specs = '[{"seconds": 86400}]' WHERE flow_id = $1`;
    await test.dataSource.query(due, [flow.id]);
    await moved(flow);
    expect(await runsOf(flow)).toEqual([]);
  });

  it('without times does not delay others', async () => {
    const path = { triggers: [{ type: 'timer', key: 'never', outputIds: [] }] };
    const idle = await makeFlow(test, user.token, application.id, path);
    const flow = await flowWith([timer({ seconds: 86_400 })]);
    await started(flow);
    await started(idle);
    await makeDue(flow);
    await moved(flow);
    expect(await runsOf(flow)).toHaveLength(1);
    expect(await runsOf(idle)).toEqual([]);
  });

  it.each([
    'null',
    '7',
    '{"cron": 5}',
    '{"cron": null}',
    '{"cron": "@daily", "tz": {}}',
    '{"seconds": "soon"}',
    '{"seconds": {}}',
  ])('that was stored as %s does not stop others', async (spec) => {
    const broken = await flowWith([timer({ seconds: 86_400 })]);
    const flow = await flowWith([timer({ seconds: 86_400 })]);
    await started(broken);
    await started(flow);
    await test.dataSource.query(
      `UPDATE flow_schedules SET specs = jsonb_build_array($2::jsonb), due_at = now() - interval '1 minute' WHERE flow_id = $1`,
      [broken.id, spec],
    );
    await makeDue(flow);
    await moved(flow);
    expect(await runsOf(flow)).toHaveLength(1);
  });

  it('that was stored with an interval beyond the limit does not stop others', async () => {
    const endless = await flowWith([timer({ seconds: 86_400 })]);
    const flow = await flowWith([timer({ seconds: 86_400 })]);
    await started(endless);
    await started(flow);
    await test.dataSource.query(
      `UPDATE flow_schedules SET specs = '[{"seconds": 1e15}]', due_at = now() - interval '1 minute' WHERE flow_id = $1`,
      [endless.id],
    );
    await makeDue(flow);
    await moved(flow);
    expect(await runsOf(flow)).toHaveLength(1);
  });

  it('does not wait for the locked workflow of another one', async () => {
    const flows = [
      await flowWith([timer({ seconds: 86_400 })]),
      await flowWith([timer({ cron: '@yearly' })]),
    ];
    for (const flow of flows) await started(flow);
    const [free, locked] = flows;
    await whileLocked(test, locked, async () => {
      await makeAllDue(flows);
      await moved(free);
      expect(await runsOf(free)).toHaveLength(1);
      expect(await runsOf(locked)).toEqual([]);
    });
    await moved(locked);
    expect(await runsOf(locked)).toHaveLength(1);
  });

  it('counts its first time from its creation, however late a worker finds it', async () => {
    const late = await flowWith([timer({ seconds: 86_400 })]);
    const missed = await flowWith([timer({ cron: '0 0 1 1 *' })]);
    await started(late);
    await started(missed);
    const created = new Date(Date.now() - 400 * 86_400_000 + 500);
    for (const { id } of [late, missed])
      await test.dataSource.query(`UPDATE flow_schedules SET specs = NULL, due_at = $2 WHERE flow_id = $1`, [
        id,
        created,
      ]);
    await moved(late);
    await moved(missed);
    const [next] = await schedulesOf(late);
    expect((next!.dueAt.getTime() - created.getTime()) % 86_400_000).toBe(0);
    expect(await runsOf(late)).toEqual([]);
    expect(await runsOf(missed)).toHaveLength(1);
  });

  it('belongs to the version that runs', async () => {
    const flow = await flowWith([timer({ seconds: 60 }, 'develop')]);
    const version = await makeVersion(test, user.token, flow, {
      triggers: [timer({ seconds: 86_400 }, 'named')],
    });
    const path = `/applications/${application.id}/flows/${flow.id}`;
    await test.client.patch(path, { defaultVersionId: version.id }, { token: user.token });
    expect(await started(flow)).toMatchObject([{ key: 'named' }]);
    await makeDue(flow);
    await moved(flow);
    expect(await runsOf(flow)).toMatchObject([{ flowVersionId: version.id }]);
  });

  it('is scheduled anew with every change, and removed with its workflow', async () => {
    const flow = await flowWith([timer({ seconds: 60 }), timer({ seconds: 30 }, 'other')]);
    expect(await started(flow)).toMatchObject([{ key: 'other' }, { key: 'tick' }]);
    const path = `/applications/${application.id}/flows/${flow.id}`;
    await test.client.patch(path, { triggers: [timer({ seconds: 86_400 })] }, { token: user.token });
    const [changed, ...others] = await started(flow);
    expect(others).toEqual([]);
    expect(changed!.dueAt.getTime()).toBeGreaterThan(Date.now() + 86_000_000);
    await test.client.delete(path, { token: user.token });
    expect(await schedulesOf(flow)).toEqual([]);
  });

  it.each([
    [{ cron: 'soon' }, 'config.cron is not a calendar of 5 or 6 fields'],
    [{ cron: '0 0 30 2 *' }, 'config.cron names no day that exists'],
    [{ cron: '@daily', tz: 'Nowhere' }, 'config.tz is not a time zone'],
    [{ seconds: 0.5 }, 'config.seconds must be at least 1'],
    [{ seconds: 1e15 }, 'config.seconds must be at most 31622400'],
  ])('is refused with %j', async (config, fault) => {
    const body = { name: 'Timed', triggers: [timer(config)] };
    const answer = await test.client.post(`/applications/${application.id}/flows`, body, {
      token: user.token,
    });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(fault) } });
  });
});
