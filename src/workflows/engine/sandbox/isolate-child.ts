import { isolatedVm } from './isolated-vm.js';
import { OUT_OF_MEMORY_CODE, type IsolateMessage, type IsolateOptions } from './isolate-protocol.js';
import { timeLimit, type ScriptCall } from './script-engine.js';
import { ScriptIsolate } from './script-isolate.js';

/** Runs scripts of one application, one at a time. Ends with its parent. */
const exit = () => process.kill(process.pid, 'SIGKILL');
process.on('disconnect', exit);
// The parent may have died before the listener was added, and the event is emitted only once.
if (!process.connected) exit();
// Terminals and service managers signal all processes, but the platform lets work in flight finish first.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

const { settings, timeMs } = JSON.parse(process.argv[2]!) as IsolateOptions;
const vm = isolatedVm()!;
const create = () => new ScriptIsolate(vm, settings, () => process.exit(OUT_OF_MEMORY_CODE));
const send = (message: IsolateMessage) => process.send!(message);

let isolate = Promise.resolve(create());

async function usable(used: ScriptIsolate): Promise<ScriptIsolate> {
  if (await used.isUsable()) return used;
  used.dispose();
  return create();
}

process.on('message', (call: ScriptCall) => {
  void isolate.then(async (own) => {
    send(await own.call(call, timeLimit(timeMs, call)));
    isolate = usable(own);
  });
});
send('ready');
