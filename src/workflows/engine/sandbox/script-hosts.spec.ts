import { ScriptFunctions } from './script-functions.js';
import { ScriptHosts } from './script-hosts.js';

const { signal } = new AbortController();

it('scripts that end soon leave the threads after some calls, and come back if one is slow', async () => {
  const hosts = new ScriptHosts({ concurrency: 2, callsBeforeInline: 3 });
  const functions = new ScriptFunctions(hosts, () => undefined);
  const call = (script: string, payload: unknown = { a: new Date(0) }): Promise<unknown> =>
    functions.call({ applicationId: 'a', key: '1', script, payload, signal }, () => undefined);
  const inThreads = jest.spyOn(hosts, 'run');
  try {
    const before = { a: new Date(0), b: 0 };
    // An instance for this thread is made after three calls, while others may run.
    let calls: number;
    do {
      calls = inThreads.mock.calls.length;
      expect(await call('payload.b = 0')).toEqual(before);
    } while (inThreads.mock.calls.length > calls);
    expect(calls).toBeGreaterThanOrEqual(4);
    expect(await call('let i = 0; while (i < 1e6) i++; return i')).toBe(1e6);
    expect(inThreads).toHaveBeenCalledTimes(calls + 1);
    expect(await call('return 1')).toBe(1);
    expect(inThreads).toHaveBeenCalledTimes(calls + 2);
  } finally {
    await hosts.stop();
  }
});
