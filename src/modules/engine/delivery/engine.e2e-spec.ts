import { jest } from '@jest/globals';
import { pending } from '../../../../test/doubles/run-flow.js';
import { button, ExecutedFlow, STORE } from '../../../../test/make/executed-flows.js';
import { makeVersion, whileLocked } from '../../../../test/make/flows.js';
import { makeApplication } from '../../../../test/make/make.js';
import { makeWaitingRuns, removeWaitingRuns, requestedRuns } from '../../../../test/make/runs.js';
import { answerOf, ListenedWebhook } from '../../../../test/make/webhooks.js';
import type { TestApp } from '../../../../test/setup/app.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { Metrics } from '../../../platform/probes/metrics.js';
import { Replies } from '../../../workflows/runs/replies.js';
import { RunBacklog } from '../../../workflows/runs/run-backlog.js';
import { Engine } from './engine.js';
import { LaneLeasesRepository } from './lane-leases.repository.js';
import { RunInboxRepository } from './run-inbox.repository.js';
import { RunExecutor, type Executed } from './run-executor.js';

const THROW = {
  id: 'throw',
  type: 'ThrowErrorNode',
  config: { messageTemplate: 'It is {{data.text}}' },
  outputIds: [],
};
const DONE: Executed = {
  isStored: true,
  pathsCompleted: 1,
  pathsFailed: 0,
  wallTime: 1,
  errors: [],
  hasEffects: false,
  used: 1,
};

const executorOf = ({ app }: TestApp) => app.get(RunExecutor, { strict: false });
const engineOf = ({ app }: TestApp) => app.get(Engine, { strict: false });

afterEach(() => {
  jest.restoreAllMocks();
});

describe('An engine', () => {
  const { test, user, application } = suite({ PROCESS_ROLE: 'api,worker,engine' }, { database: 'own' });
  const made = (body?: object) => ExecutedFlow.make(test, user, application.id, body);

  it('executes a run and shows its outcome', async () => {
    const flow = await made();
    await flow.press();
    await flow.isLogged();
    expect(await flow.logs()).toEqual([
      expect.objectContaining({
        flowVersionId: 'develop',
        runCount: 1,
        pathsCompleted: 1,
        pathsFailed: 0,
        errors: [],
      }),
    ]);
    expect(await flow.stored()).toEqual({ last: 'hot' });
    expect(await flow.stats()).toMatchObject({ runCount: 1, pathsCompleted: 1, pathsFailed: 0 });
    expect(await requestedRuns(test, { flowId: flow.flow.id })).toEqual([]);
  });

  it('executes the version that was requested, as it was last saved', async () => {
    const flow = await made();
    const set = (value: string) => [{ ...STORE, config: { ...STORE.config, value } }];
    const triggers = [button('store')];
    const version = await makeVersion(test, user.token, flow.flow, {
      version: '1',
      triggers,
      nodes: set('one'),
    });
    await flow.press({}, { flowVersion: '1' });
    await flow.isLogged();
    expect(await flow.stored()).toEqual({ last: 'one' });
    expect((await flow.logs())[0].flowVersionId).toBe(version.id);
    for (const [i, value] of ['two', 'three', '{{globals.g}}'].entries()) {
      await flow.change({ nodes: set(value), globals: [{ key: 'g', json: '"four"' }] });
      await flow.press();
      await flow.isLogged(i + 2);
      expect(await flow.stored()).toEqual({ last: value === '{{globals.g}}' ? 'four' : value });
    }
  });

  it('stores errors, and runs the workflows that they trigger', async () => {
    const scoped = (scope: string) => [
      { type: 'flowError', key: scope, config: { scope }, outputIds: [['store']] },
    ];
    const nodes = [{ ...STORE, config: { ...STORE.config, value: '{{data.errorInfo.error.message}}' } }];
    const flow = await made({
      triggers: [button('throw'), { ...scoped('local')[0], outputIds: [['throw']] }],
      nodes: [THROW],
    });
    const heard = await Promise.all(
      ['global', 'cloud'].map((scope) => made({ triggers: scoped(scope), nodes })),
    );
    const deaf = await Promise.all(
      ['local', 'experience'].map((scope) => made({ triggers: scoped(scope), nodes })),
    );
    await flow.press();
    // The run of the error has the original data. It fails too, and triggers nothing.
    await flow.isLogged(2);
    for (const one of heard) await one.isLogged();
    expect(await flow.errors()).toEqual(
      Array(2).fill(
        expect.objectContaining({
          nodeId: 'throw',
          error: { name: 'ThrowErrorNodeError', message: 'It is hot' },
        }),
      ),
    );
    expect(await flow.stats()).toMatchObject({ runCount: 2, pathsFailed: 2 });
    for (const one of heard) {
      expect(await one.stored()).toEqual({ last: 'It is hot' });
      expect(await one.logs()).toHaveLength(1);
    }
    for (const one of deaf) expect(await one.logs()).toEqual([]);
  });

  it('passes the reply of a workflow to the caller of a webhook', async () => {
    const hook = await ListenedWebhook.make(test, { waitForReply: true }, { user, application });
    const execute = jest
      .spyOn(executorOf(test), 'execute')
      .mockImplementation(async ({ applicationId }, { trigger }) => {
        const { replyId } = trigger!.data as { replyId: string };
        const reply = { status: 201, headers: { 'content-type': 'application/json' }, body: '{"order":7}' };
        await test.app.get(Replies).reply({ applicationId }, replyId, reply);
        return DONE;
      });
    expect(await answerOf(await hook.send())).toEqual([201, { order: 7 }]);
    expect(execute).toHaveBeenCalledTimes(1);
  });

  it('repeats nothing while a run is open, and executes those of other applications', async () => {
    const flow = await made();
    const executor = executorOf(test);
    const ended = pending<void>();
    const spy = jest.spyOn(executor, 'execute').mockImplementation(async (run, facts) => {
      if (run.flowId === flow.flow.id) await ended.promise;
      return RunExecutor.prototype.execute.call(executor, run, facts);
    });
    await flow.press();
    const other = await ExecutedFlow.make(test, user, (await makeApplication(test, user.token)).id);
    await other.press();
    await other.isLogged();
    expect(await flow.logs()).toEqual([]);
    ended.resolve();
    await flow.isLogged();
    expect(spy.mock.calls.filter(([{ flowId }]) => flowId === flow.flow.id)).toHaveLength(1);
  });

  it('stores runs while a workflow of another application is locked', async () => {
    const locked = await made();
    const other = await ExecutedFlow.make(test, user, (await makeApplication(test, user.token)).id);
    const executor = executorOf(test);
    const ended = pending<void>();
    const finish = jest.spyOn(test.app.get(RunInboxRepository, { strict: false }), 'finish');
    jest.spyOn(executor, 'execute').mockImplementation(async (run, facts) => {
      if (run.flowId !== locked.flow.id) return RunExecutor.prototype.execute.call(executor, run, facts);
      await ended.promise;
      return DONE;
    });
    await locked.press();
    await whileLocked(test, locked.flow, async () => {
      ended.resolve();
      await waitUntil(async () => finish.mock.calls.length > 0);
      await other.press();
      await other.isLogged();
      expect(await locked.logs()).toEqual([]);
    });
    await locked.isLogged();
  });

  it('refuses requests to webhooks and drops other triggers if too many runs wait', async () => {
    const hook = await ListenedWebhook.make(test, {}, { user, application });
    const flow = await made();
    await makeWaitingRuns(test, { applicationId: application.id, flowId: flow.flow.id }, 20_000);
    await test.app.get(RunBacklog).refresh();
    expect((await hook.send()).status).toBe(429);
    await flow.press();
    await removeWaitingRuns(test);
    await test.app.get(RunBacklog).refresh();
    expect((await hook.send()).status).toBe(200);
    await flow.press({ text: 'later' });
    await flow.isLogged();
    expect((await flow.logs()).length).toBe(1);
    expect(await flow.stored()).toEqual({ last: 'later' });
    expect(await test.app.get(Metrics).registry.metrics()).toMatch(/workflow_triggers_dropped_total 2\n/);
  });

  it('reports metrics', async () => {
    const flow = await made();
    await flow.press();
    await flow.isLogged();
    const metrics = await test.app.get(Metrics).registry.metrics();
    expect(metrics).toMatch(/^workflow_runs_total\{outcome="completed"\} [1-9]/m);
    expect(metrics).toMatch(/^workflow_lanes 64$/m);
    expect(metrics).toMatch(/^workflow_runs_waiting 0$/m);
    expect(metrics).toMatch(/^workflow_scripts_running 0$/m);
  });
});

describe('Two engines', () => {
  const platform = suite({ PROCESS_ROLE: 'api,worker,engine' }, { database: 'own' });
  const { test, other, user } = platform;
  const areBalanced = () =>
    waitUntil(async () => [test, other].every((app) => engineOf(app).laneCount === 32), 60_000);

  it('share the lanes, and execute each run once', async () => {
    await areBalanced();
    const spies = [test, other].map((app) => jest.spyOn(executorOf(app), 'execute'));
    const applications = await Promise.all(
      Array.from({ length: 8 }, () => makeApplication(test, user.token)),
    );
    const flows = await Promise.all(applications.map(({ id }) => ExecutedFlow.make(test, user, id)));
    for (let n = 0; n < 10; n++) await Promise.all(flows.map((flow) => flow.press()));
    for (const flow of flows) await flow.isLogged(10);
    const calls = spies.map(({ mock }) => mock.calls.map(([{ id }]) => id));
    expect(new Set(calls.flat()).size).toBe(80);
    expect(calls.flat()).toHaveLength(80);
    for (const flow of flows) expect(await flow.logs()).toHaveLength(10);
  }, 120_000);

  it('repeat the runs of an engine that has died, and store each once', async () => {
    await areBalanced();
    const { id } = await makeApplication(test, user.token);
    const flow = await ExecutedFlow.make(test, user, id);
    const ended = pending<void>();
    // Neither engine finishes its first run, and the one that has it loses its leases.
    const owners = [test, other].map((app) => {
      const spy = jest.spyOn(executorOf(app), 'execute').mockImplementationOnce(async () => {
        await ended.promise;
        return { ...DONE, pathsCompleted: 99 };
      });
      return { app, spy };
    });
    await flow.press();
    await waitUntil(async () => owners.some(({ spy }) => spy.mock.calls.length > 0));
    const [dead, living] = owners[0]!.spy.mock.calls.length > 0 ? owners : [...owners].reverse();
    jest
      .spyOn(dead!.app.app.get(LaneLeasesRepository, { strict: false }), 'renew')
      .mockRejectedValue(new Error('dead'));
    living!.spy.mockRestore();
    await test.dataSource.query(
      `UPDATE lane_leases SET until = now() - interval '1 second'
       WHERE lane = (SELECT lane FROM run_inbox WHERE flow_id = $1)`,
      [flow.flow.id],
    );
    await flow.isLogged();
    ended.resolve();
    await flow.press({ text: 'again' });
    await flow.isLogged(2);
    expect((await flow.logs()).map(({ pathsCompleted }) => pathsCompleted)).toEqual([1, 1]);
  }, 120_000);
});
