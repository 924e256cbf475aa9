import { Worker } from 'node:worker_threads';
import type { ChildOptions, WorkAnswer } from './work-process.js';

const MEMORY_CHECK_INTERVAL_MS = 25;
const MIB = 1024 * 1024;

/** Covers only the heap of the thread; other memory counts towards the size of the process. */
const OUT_OF_MEMORY_CODE = 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * Runs work in a worker thread and monitors the memory of the process: WebAssembly memory is outside the heap, and Node
 * only limits the heap. The parent process ends this process, which also ends if its parent dies.
 */
const exit = () => process.kill(process.pid, 'SIGKILL');
process.on('disconnect', exit);
// The parent may have died before the listener was added, and the event is emitted only once.
if (!process.connected) exit();

const { thread, memoryMb } = JSON.parse(process.argv[2]!) as ChildOptions;
const worker = new Worker(new URL(thread), { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
let memoryCheck: NodeJS.Timeout | undefined;
let finalAnswer: WorkAnswer | undefined;

const mebibytes = (): number => process.memoryUsage.rss() / MIB;

function answer(message: WorkAnswer): void {
  clearInterval(memoryCheck);
  process.send!(message);
}

function end(message: WorkAnswer): void {
  finalAnswer ??= message;
  answer(finalAnswer);
}

worker.on('message', (result) => answer({ result, memoryMb: mebibytes() }));
worker.on('error', ({ code, message }: NodeJS.ErrnoException) =>
  end(code === OUT_OF_MEMORY_CODE ? { failed: 'memory' } : { failed: 'died', message }),
);
worker.on('exit', () => end({ failed: 'died', message: 'its thread has ended' }));
process.on('message', (task) => {
  if (finalAnswer) return answer(finalAnswer);
  worker.postMessage(task);
  memoryCheck = setInterval(() => {
    if (mebibytes() > memoryMb) answer({ failed: 'memory' });
  }, MEMORY_CHECK_INTERVAL_MS);
});
// Terminals and service managers signal all processes, but the platform lets work in flight finish first.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
