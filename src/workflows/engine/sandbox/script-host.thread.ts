import type { WasmModule } from './quickjs-module.js';
import { parentPort, workerData } from 'node:worker_threads';
import type { GuestSettings } from './guest.js';
import type { ScriptAnswer, ScriptCall } from './script-engine.js';
import { instanceTemplate, type InstanceTemplate } from './script-instance.js';
import { ScriptInstances } from './script-instances.js';

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

const { module, settings, timeMs, template: given } = workerData as HostData;
const template = given ?? (await instanceTemplate(module, settings));
const instances = new ScriptInstances(module, template, timeMs);

// An unhandled rejection ends the thread, which its owner replaces.
parentPort!.on('message', (call: ScriptCall) => {
  void instances.run(call).then((answer) => parentPort!.postMessage(answer satisfies HostMessage));
});
parentPort!.postMessage({ template: given ? undefined : template } satisfies HostMessage);
