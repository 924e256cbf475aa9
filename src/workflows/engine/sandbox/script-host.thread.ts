import type { WasmModule } from './quickjs-module.js';
import { LRUCache } from 'lru-cache';
import { parentPort, workerData } from 'node:worker_threads';
import type { GuestSettings } from './guest.js';
import { timeLimit, type ScriptAnswer, type ScriptCall } from './script-engine.js';
import { instanceCode, ScriptInstance } from './script-instance.js';

/** What a script host receives at its start. */
export interface HostData {
  readonly module: WasmModule;
  readonly settings: GuestSettings;
  /** Time limit of a call with a small payload. */
  readonly timeMs: number;
}

/** Message of a host: it is ready for calls, or the answer to its only call. */
export type HostMessage = 'ready' | ScriptAnswer;

const MAX_INSTANCES = 64;

const { module, settings, timeMs } = workerData as HostData;
const code = await instanceCode(module, settings);
const instances = new LRUCache<string, ScriptInstance>({ max: MAX_INSTANCES });

async function run(call: ScriptCall): Promise<ScriptAnswer> {
  let instance = instances.get(call.key);
  if (!instance) {
    instance = await ScriptInstance.create(code);
    instances.set(call.key, instance);
  }
  const answer = instance.call(call, timeLimit(timeMs, call));
  if (!instance.isUsable) instances.delete(call.key);
  return answer;
}

// An unhandled rejection ends the thread, which its owner replaces.
parentPort!.on('message', (call: ScriptCall) => {
  void run(call).then((answer) => parentPort!.postMessage(answer satisfies HostMessage));
});
parentPort!.postMessage('ready' satisfies HostMessage);
