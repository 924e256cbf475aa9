import { IsolateProcesses } from './isolate-processes.js';
import { isolatedVm } from './isolated-vm.js';
import type { ScriptEngine } from './script-engine.js';
import { ScriptHosts } from './script-hosts.js';

/** Names of the engines for scripts. */
export type ScriptEngineName = 'quickjs' | 'v8';

/** Starts an engine. Throws if its package is missing. */
export function scriptEngine(name: ScriptEngineName): ScriptEngine {
  if (name === 'quickjs') return new ScriptHosts();
  if (!isolatedVm())
    throw new Error('FUNCTION_ENGINE=v8 needs the optional package isolated-vm, and Node.js 22 or newer');
  return new IsolateProcesses();
}
