import { ScriptFunctions } from './script-functions.js';
import { HostFailure } from './script-host.js';
import type { ScriptAnswer, ScriptCall, ScriptEngine } from './script-engine.js';

const EMPTY: ScriptAnswer = { json: '', messages: [] };

/** Engine whose calls end when the test says so. */
class ManualEngine implements ScriptEngine {
  readonly begun: {
    call: ScriptCall;
    resolve: (answer: ScriptAnswer) => void;
    reject: (error: Error) => void;
  }[] = [];

  readonly running = 0;

  constructor(readonly concurrency: number) {}

  run(call: ScriptCall): Promise<ScriptAnswer> {
    return new Promise((resolve, reject) => this.begun.push({ call, resolve, reject }));
  }

  /** Ends all calls, so that none waits after its test. */
  stop(): Promise<void> {
    this.run = () => Promise.resolve(EMPTY);
    for (const { resolve } of this.begun) resolve(EMPTY);
    return Promise.resolve();
  }
}

const { signal } = new AbortController();
const settled = () => new Promise((resolve) => setImmediate(resolve));
const caller = (engine: ScriptEngine, report: (failure: HostFailure) => void = () => undefined) => {
  const functions = new ScriptFunctions(engine, report);
  return (applicationId: string, payload: unknown = {}, aborted = signal) =>
    functions.call({ applicationId, key: 'k', script: '', payload, signal: aborted }, () => undefined);
};

describe('Functions of applications', () => {
  it('leave room for other applications', async () => {
    const engine = new ManualEngine(3);
    const call = caller(engine);
    for (let i = 0; i < 5; i++) void call('slow');
    await settled();
    expect(engine.begun).toHaveLength(2);
    const other = call('other', { a: 1 });
    await settled();
    expect(engine.begun).toHaveLength(3);
    expect(engine.begun[2]!.call).toMatchObject({ key: 'other/k', text: '[{"a":1}]' });
    engine.begun[2]!.resolve({ json: '2', messages: [] });
    expect(await other).toBe(2);
    await engine.stop();
  });

  it('are rejected if too many wait', async () => {
    const engine = new ManualEngine(1);
    const call = caller(engine);
    for (let i = 0; i < 1_001; i++) void call('slow');
    await expect(call('slow')).rejects.toMatchObject({ name: 'FunctionNodeBusyError' });
    await engine.stop();
  });

  it('are not begun after their run has ended', async () => {
    const engine = new ManualEngine(1);
    const call = caller(engine);
    const first = call('a');
    const run = new AbortController();
    const second = call('a', {}, run.signal);
    run.abort(new Error('run ended'));
    await settled();
    engine.begun[0]!.resolve({ json: '1', messages: [] });
    expect(await first).toBe(1);
    await expect(second).rejects.toThrow('run ended');
    expect(engine.begun).toHaveLength(1);
  });

  it.each([
    ['timeout', 'FunctionNodeTimeoutError'],
    ['crash', 'FunctionNodeHostError'],
  ] as const)('fail alone after a %s of the engine', async (reason, name) => {
    const engine = new ManualEngine(1);
    const reported: HostFailure[] = [];
    const call = caller(engine, (failure) => void reported.push(failure));
    const first = call('a');
    const second = call('a');
    await settled();
    engine.begun[0]!.reject(new HostFailure(reason, 'internal detail'));
    await expect(first).rejects.toMatchObject({
      name,
      message: expect.not.stringContaining('internal') as string,
    });
    await settled();
    engine.begun[1]!.resolve({ json: '', messages: [] });
    expect(await second).toBeUndefined();
    expect(reported).toMatchObject([{ reason, message: 'internal detail' }]);
  });
});
