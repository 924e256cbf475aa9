import type { WasmModule } from './quickjs-module.js';
import { LRUCache } from 'lru-cache';
import { parentPort, workerData } from 'node:worker_threads';
import type { GuestSettings } from './guest.js';
import { timeLimit, type ScriptAnswer, type ScriptCall } from './script-engine.js';
import {
  type CallLimit,
  instanceTemplate,
  type InstanceTemplate,
  ScriptInstance,
} from './script-instance.js';

/** What a script host receives at its start. */
export interface HostData {
  readonly module: WasmModule;
  readonly settings: GuestSettings;
  /** Time limit of a call with a small payload. */
  readonly timeMs: number;
  /** If none was made yet, the host makes it. */
  readonly template: InstanceTemplate | undefined;
}

/** First message of a host: it is ready for calls. With the template if the host made it. */
export interface HostStarted {
  readonly template: InstanceTemplate | undefined;
}

/** Message of a host: its first one, or the answer to its only call. */
export type HostMessage = HostStarted | ScriptAnswer;

const MAX_INSTANCES = 64;

const { module, settings, timeMs, template: given } = workerData as HostData;
const template = given ?? (await instanceTemplate(module, settings));
const instances = new LRUCache<string, ScriptInstance>({ max: MAX_INSTANCES });

async function run(call: ScriptCall): Promise<ScriptAnswer> {
  let instance = instances.get(call.key);
  if (!instance) {
    instance = await ScriptInstance.create(module, template);
    instances.set(call.key, instance);
  }
  const answer = instance.call(call, callLimit(timeLimit(timeMs, call)));
  if (!instance.isUsable) instances.delete(call.key);
  return answer;
}

function callLimit(ms: number): CallLimit {
  const deadline = performance.now() + ms;
  return { timeMs: ms, isSpent: () => performance.now() > deadline };
}

// An unhandled rejection ends the thread, which its owner replaces.
parentPort!.on('message', (call: ScriptCall) => {
  void run(call).then((answer) => parentPort!.postMessage(answer satisfies HostMessage));
});
parentPort!.postMessage({ template: given ? undefined : template } satisfies HostMessage);
