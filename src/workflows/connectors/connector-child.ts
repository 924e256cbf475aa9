import { guardSockets } from '../../lib/http/guarded-sockets.js';
import { perform, watchMemory } from './perform.js';
import type { Answer, ProcessOptions, ToProcess } from './protocol.js';
import { socketOpened } from './sessions.js';

/** Runs the drivers of other services for the platform. Ends with its parent. */
const exit = () => process.kill(process.pid, 'SIGKILL');
process.on('disconnect', exit);
// The parent may have died before the listener was added, and the event is emitted only once.
if (!process.connected) exit();
// Terminals and service managers signal all processes, but the platform lets work in flight finish first.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
// Drivers print warnings, and their objects can contain secrets.
Object.assign(console, { log: () => undefined, warn: () => undefined, error: () => undefined });
process.on('warning', () => undefined);
process.on('uncaughtException', ({ name, stack }) => {
  process.stderr.write(`Connector failed: ${stack ?? name}\n`);
  process.exit(1);
});

const { allowed, memoryMb } = JSON.parse(process.argv[2]!) as ProcessOptions;
guardSockets({ allowed, opened: socketOpened });
watchMemory(memoryMb);

const cancellations = new Map<number, AbortController>();

process.on('message', (message: ToProcess) => {
  if ('cancelled' in message) return cancellations.get(message.cancelled)?.abort();
  const { id } = message;
  const cancellation = new AbortController();
  cancellations.set(id, cancellation);
  void perform(message, cancellation.signal).then((outcome) => {
    cancellations.delete(id);
    process.send!({ id, ...outcome } satisfies Answer);
  });
});
