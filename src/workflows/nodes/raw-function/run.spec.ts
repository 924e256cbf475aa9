import { Payload } from '../../engine/payload.js';
import type { DebugOutput, RunPath } from '../../engine/node-run.js';
import type { FunctionCall, FunctionsPort } from '../../engine/ports.js';
import { ConfigFault } from '../config-fault.js';
import type { RawFunctionConfig } from './config.js';
import { rawFunctionNode } from './index.js';

const NODE = { id: 'f', type: 'RawFunctionNode' };

/** Runs the node with a port that returns `result`. */
async function runNode(config: RawFunctionConfig, data: unknown, result: unknown) {
  const payload = new Payload(data);
  const calls: FunctionCall[] = [];
  const debugged: DebugOutput[] = [];
  const functions: FunctionsPort = {
    call: (call, log) => {
      calls.push(call);
      log({ level: 'warn', text: 'from the script' });
      return Promise.resolve(result);
    },
  };
  const { signal } = new AbortController();
  const run = { applicationId: 'a', flowId: 'f', flowVersionId: null, signal, ports: { functions } };
  const path = { payload, run, debug: (message: () => DebugOutput) => debugged.push(message()) };
  const output = await rawFunctionNode.run!.prepare(config, NODE)(path as unknown as RunPath);
  return { output, calls, debugged, data: payload.data };
}

describe('Function node', () => {
  it.each([undefined, '', '.'])(
    'passes and replaces the whole payload with the scope path %j',
    async (scopePath) => {
      const { output, calls, data } = await runNode({ script: 'x', scopePath }, { data: 1 }, { data: 2 });
      expect(calls).toMatchObject([{ applicationId: 'a', key: 'f/null', script: 'x', payload: { data: 1 } }]);
      expect(data).toEqual({ data: 2 });
      expect(output).toBeUndefined();
    },
  );

  it('passes and replaces the value at its scope path', async () => {
    const config = { script: 'x', scopePath: 'data.rows.[0]' };
    const { calls, data } = await runNode(config, { data: { rows: [1, 2] }, time: 3 }, 4);
    expect(calls[0]!.payload).toBe(1);
    expect(data).toEqual({ data: { rows: [4, 2] }, time: 3 });
  });

  it('sends console messages as debug messages with the payload', async () => {
    const { debugged } = await runNode({ script: 'x' }, { data: 1 }, { data: 2 });
    expect(debugged).toEqual([{ level: 'warn', message: 'from the script', payload: { data: 1 } }]);
  });

  it('rejects a scope path that cannot be parsed', () => {
    const { config } = rawFunctionNode;
    expect(() => config!.check({ script: '', scopePath: 'a..b' }, NODE)).toThrow(ConfigFault);
    expect(() => config!.check({ script: '', scopePath: '' }, NODE)).not.toThrow();
  });
});
