import { compile } from '../../../src/workflows/embedded/compile.js';
import { checkGraph } from '../../../src/workflows/graph/graph.rules.js';
import { Host, type HostOptions } from './host.js';
import { LOGIC_FLOWS } from './logic-flows.js';

/** Compiles `LOGIC_FLOWS` before the first test, and returns operations on devices that run them. */
export function logicDevices() {
  let module: Uint8Array;

  beforeAll(async () => {
    for (const { graph } of LOGIC_FLOWS) checkGraph('embedded', graph);
    ({ module } = await compile(
      {
        globals: [],
        flows: LOGIC_FLOWS,
      },
      { traceLevel: 1, disableDebugMessage: false, debugSymbols: false, exportMemory: true },
    ));
  }, 120_000);

  /** Returns the debug messages of a run with this data, on a new device or the given one. */
  function run(
    name: string,
    data: unknown,
    host = device(),
  ): { message: string; payload: any; error?: any }[] {
    const before = host.debugged.length;
    expect(host.direct(name, data)).toBe(0);
    expect(host.loop()).toBe(0);
    return host.debugged.slice(before);
  }

  /** Creates a device with buffers large enough for every payload in this file. */
  function device(options?: HostOptions, configure?: (host: Host) => void): Host {
    const host = new Host(module, options);
    host.exports.eea_config_set_message_buffer_lengths!(256, 100_000);
    configure?.(host);
    expect(host.exports.eea_init!()).toBe(0);
    return host;
  }

  const messages = (name: string, data: unknown, host?: Host) =>
    run(name, data, host).map(({ message }) => message);
  /** Returns the payload of the last debug message of a run. */
  const shown = (name: string, data: unknown, host?: Host): unknown => run(name, data, host).at(-1)!.payload;
  /** Returns the error of a failed run and the node that failed. */
  const failure = (name: string, data: unknown, host?: Host) => {
    const { error, nodeId } = run(name, data, host).at(-1) as any;
    return [nodeId, error?.name, error?.message];
  };

  return { run, device, messages, shown, failure };
}
