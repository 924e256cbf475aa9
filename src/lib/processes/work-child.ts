import { Worker } from 'node:worker_threads';
import type { ChildOptions, WorkAnswer } from './work-process.js';

const LOOK_MS = 25;
const MIB = 1024 * 1024;

/** Covers only the heap of the thread; other memory counts towards the size of the process. */
const OUT_OF_HEAP = 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * Runs work in a worker thread and monitors the memory of the process: WebAssembly memory is outside the heap, and Node
 * only limits the heap. The parent process ends this process, which also ends if its parent dies.
 */
const leave = () => process.kill(process.pid, 'SIGKILL');
process.on('disconnect', leave);
// The parent may have died before the listener was added, and the event is emitted only once.
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
// Terminals and service managers signal all processes, but the platform lets work in flight finish first.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
