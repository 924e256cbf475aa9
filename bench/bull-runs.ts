import Queue from 'bull';
import { serveAsks } from './askers.js';

// The same runs in a queue of Bull: a request is acknowledged when its job is in Redis, and jobs are removed when they end.
const queue = new Queue<object>('bench', process.env.REDIS_URL!, {
  defaultJobOptions: { removeOnComplete: true },
});
void queue.process(50, async () => undefined);
await queue.isReady();
serveAsks(() =>
  queue.add({ type: 'webhook', data: { body: { temp: 23.5, name: 'P-17', tags: ['a', 'b'] } } }),
);
