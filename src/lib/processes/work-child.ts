import { Worker } from 'node:worker_threads';
import type { ChildOptions, WorkAnswer } from './work-process.js';

const LOOK_MS = 25;
const MIB = 1024 * 1024;

/** Of the heap of the thread; what is taken beside it shows in the size of the process. */
const OUT_OF_HEAP = 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * A process that does work in a thread of its own, and looks meanwhile at how much memory the process has: that of WebAssembly
 * is outside of the heap, for which alone Node has a limit. Whoever started it ends it, and it ends with them.
 */
const leave = () => process.kill(process.pid, 'SIGKILL');
process.on('disconnect', leave);
// They may be gone since before anybody listened, which is told once.
if (!process.connected) leave();

const { thread, memoryMb } = JSON.parse(process.argv[2]!) as ChildOptions;
const worker = new Worker(new URL(thread), { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
let look: NodeJS.Timeout | undefined;
let ended: WorkAnswer | undefined;

const mebibytes = (): number => process.memoryUsage.rss() / MIB;

function answer(message: WorkAnswer): void {
  clearInterval(look);
  process.send!(message);
}

function end(message: WorkAnswer): void {
  ended ??= message;
  answer(ended);
}

worker.on('message', (result) => answer({ result, memoryMb: mebibytes() }));
worker.on('error', ({ code, message }: NodeJS.ErrnoException) =>
  end(code === OUT_OF_HEAP ? { failed: 'memory' } : { failed: 'died', message }),
);
worker.on('exit', () => end({ failed: 'died', message: 'its thread has ended' }));
process.on('message', (task) => {
  if (ended) return answer(ended);
  worker.postMessage(task);
  look = setInterval(() => {
    if (mebibytes() > memoryMb) answer({ failed: 'memory' });
  }, LOOK_MS);
});
// A terminal and a service manager send them to every process: the platform lets its work end first.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
