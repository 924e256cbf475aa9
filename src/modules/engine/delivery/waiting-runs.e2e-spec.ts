import { jest } from '@jest/globals';
import { pending } from '../../../../test/doubles/run-flow.js';
import { ExecutedFlow } from '../../../../test/make/executed-flows.js';
import { makeApplication, makeUser } from '../../../../test/make/make.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import type { TestApp } from '../../../../test/setup/app.js';
import { freshPlatform } from '../../../../test/setup/fresh-platform.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { Engine } from './engine.js';
import { RunExecutor, type Executed } from './run-executor.js';

// The first process of a worker loads all modules.
jest.setTimeout(120_000);

afterEach(() => {
  jest.restoreAllMocks();
});

describe('Runs that wait for an engine', () => {
  const started = freshPlatform();
  let waiting: TestApp;
  let flow: ExecutedFlow;

  beforeEach(async () => {
    waiting = await started('api,worker');
    const user = await makeUser(waiting);
    const { id } = await makeApplication(waiting, user.token);
    flow = await ExecutedFlow.make(waiting, user, id);
    await flow.press();
  });

  const isEmpty = () =>
    waitUntil(async () => (await waiting.dataSource.query('SELECT FROM run_inbox')).length === 0);
  const abandoned = (attempts: number) =>
    waiting.dataSource.query(
      `WITH lost AS (UPDATE lane_leases SET owner = 'dead', until = now() - interval '1 second')
       UPDATE run_inbox SET attempts = $1`,
      [attempts],
    );

  it('have IDs that end with their number', async () => {
    await Promise.all(Array.from({ length: 20 }, () => flow.press()));
    const runs = await waiting.dataSource.query('SELECT id, seq FROM run_inbox');
    expect(runs).toHaveLength(21);
    for (const { id, seq } of runs) {
      expect(id).toMatch(/^[\da-f]{24}$/);
      expect(id.slice(14)).toBe(Number(seq).toString(16).padStart(10, '0'));
    }
  });

  it('are executed when one starts, and found if they are not announced', async () => {
    expect(await flow.logs()).toEqual([]);
    await started('engine');
    await flow.isLogged();
    await flow.press();
    await flow.isLogged(2);
  });

  it.each([
    [0, 1, 0],
    [1, 1, 0],
    [2, 0, 1],
  ])(
    'are executed if engines died %i times counted: completed %i, failed %i',
    async (attempts, completed, failed) => {
      await abandoned(attempts);
      await started('engine');
      await flow.isLogged();
      expect(await flow.logs()).toEqual([
        expect.objectContaining({ pathsCompleted: completed, pathsFailed: failed }),
      ]);
    },
  );

  it('are discarded if the workflow is deleted', async () => {
    await flow.remove();
    await started('engine');
    await isEmpty();
    expect(await waiting.dataSource.query('SELECT FROM flow_runs')).toEqual([]);
  });

  it('are executed although the workflow has been disabled since', async () => {
    await flow.change({ enabled: false });
    await flow.press();
    await started('engine');
    await flow.isLogged();
    await isEmpty();
    expect(await flow.logs()).toHaveLength(1);
  });

  it('are finished by an engine that stops, which then releases its lanes', async () => {
    const engine = await started('engine');
    await flow.isLogged();
    const ended = pending<void>();
    const executor = engine.app.get(RunExecutor, { strict: false });
    const execute = jest.spyOn(executor, 'execute').mockImplementation(async (...given) => {
      await ended.promise;
      return RunExecutor.prototype.execute.call(executor, ...given);
    });
    await flow.press();
    await waitUntil(async () => execute.mock.calls.length === 1);
    const drained = engine.app.get(Engine, { strict: false }).drain(60_000);
    await flow.press();
    const owned = () => waiting.dataSource.query('SELECT FROM lane_leases WHERE owner IS NOT NULL');
    expect(await owned()).not.toEqual([]);
    ended.resolve();
    await drained;
    expect(await owned()).toEqual([]);
    expect(await waiting.dataSource.query('SELECT FROM run_engines')).toEqual([]);
    await flow.isLogged(2);
    expect(await requestedRuns(waiting, { flowId: flow.flow.id })).toHaveLength(1);
    expect(execute).toHaveBeenCalledTimes(1);
  });

  it('are left to the next engine by one that stops before they end', async () => {
    const engine = await started('engine');
    await flow.isLogged();
    const execute = jest
      .spyOn(engine.app.get(RunExecutor, { strict: false }), 'execute')
      .mockImplementation(() => new Promise<Executed>(() => undefined));
    await flow.press();
    await waitUntil(async () => execute.mock.calls.length === 1);
    await engine.app.get(Engine, { strict: false }).drain(0);
    await waiting.dataSource.query('UPDATE lane_leases SET until = now()');
    await started('engine');
    await flow.isLogged(2);
  });
});
