import { ScriptFunctions } from '../../src/workflows/engine/sandbox/script-functions.js';
import { quickJsModule } from '../../src/workflows/engine/sandbox/quickjs-module.js';
import { instanceTemplate } from '../../src/workflows/engine/sandbox/script-instance.js';
import { ScriptInstances } from '../../src/workflows/engine/sandbox/script-instances.js';
import { SETTINGS, ScriptHosts } from '../../src/workflows/engine/sandbox/script-hosts.js';
import type {
  ConsoleMessage,
  ScriptAnswer,
  ScriptCall,
  ScriptEngine,
} from '../../src/workflows/engine/sandbox/script-engine.js';
import { IsolateProcesses } from '../../src/workflows/engine/sandbox/isolate-processes.js';
import { isolatedVm } from '../../src/workflows/engine/sandbox/isolated-vm.js';
import { RunFault } from '../../src/workflows/engine/run-error.js';

const HOSTS = 2;

/** Scripts in the calling thread, which only the engine itself can end. */
class InlineEngine implements ScriptEngine {
  readonly concurrency = HOSTS;
  readonly running = 0;
  private instances?: Promise<ScriptInstances>;

  constructor(private readonly timeMs: number) {}

  async run(call: ScriptCall): Promise<ScriptAnswer> {
    this.instances ??= this.start();
    return (await this.instances).run(call);
  }

  stop(): Promise<void> {
    this.instances = undefined;
    return Promise.resolve();
  }

  private async start(): Promise<ScriptInstances> {
    const module = quickJsModule();
    return new ScriptInstances(module, await instanceTemplate(module, SETTINGS), this.timeMs);
  }
}

/** Engines that must pass the suites of the sandbox. The argument is the time limit in milliseconds. */
export const ENGINES: readonly {
  readonly name: string;
  readonly create: (timeMs: number) => ScriptEngine;
}[] = [
  { name: 'QuickJS', create: (timeMs) => new ScriptHosts({ concurrency: HOSTS, timeMs }) },
  { name: 'QuickJS in the calling thread', create: (timeMs) => new InlineEngine(timeMs) },
  ...(isolatedVm() ? [{ name: 'V8', create: (timeMs: number) => new IsolateProcesses(HOSTS, timeMs) }] : []),
];

/** Outcome of a script in tests. */
export interface Outcome {
  readonly payload?: unknown;
  readonly error?: { readonly name: string; readonly message: string; readonly trace?: readonly string[] };
  readonly messages: readonly ConsoleMessage[];
}

export type RunScript = (
  script: string,
  /** Payload, an empty object by default, and whose call it is. */
  ...given: [payload?: unknown, of?: { readonly applicationId?: string; readonly key?: string }]
) => Promise<Outcome>;

/** Starts an engine before the tests of a suite and stops it after them. Returns a function that runs a script. */
export function scriptRunner(create: () => ScriptEngine): RunScript {
  let engine: ScriptEngine;
  let functions: ScriptFunctions;
  beforeAll(() => {
    engine = create();
    functions = new ScriptFunctions(engine, () => undefined);
  });
  afterAll(() => engine.stop());
  return async (script, ...given) => {
    const [payload, { applicationId = 'application', key = 'flow/version' } = {}] =
      given.length > 0 ? given : [{}];
    const messages: ConsoleMessage[] = [];
    const { signal } = new AbortController();
    try {
      const result = await functions.call({ applicationId, key, script, payload, signal }, (message) =>
        messages.push(message),
      );
      return { payload: result, messages };
    } catch (error) {
      if (!(error instanceof RunFault)) throw error;
      return { error, messages };
    }
  };
}
