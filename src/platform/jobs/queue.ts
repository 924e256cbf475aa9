import { Logger } from '@nestjs/common';
import type { JobOptions, Queue, QueueOptions } from 'bull';
import type { Redis } from 'ioredis';
import { within } from '../../lib/async/patience.js';
import { withBrpoplpush } from './private-redis.js';
import { boundedRedis } from './redis.js';

/** The one queue. What it holds are ids of rows, to wake a worker, and their kinds, for operators to look at. */
export const QUEUE = 'jobs';

/** The queue takes an id once, however often it is added, and forgets it when it is through. */
export function queueEntry(id: string): JobOptions {
  return { jobId: id, attempts: 1, removeOnComplete: true, removeOnFail: true };
}

const COMMAND_TIMEOUT_MS = 5_000;
const CLOSE_MS = 1_000;

/** The queue's connections to Redis: one in a process that only adds, three in a worker. */
export class QueueConnections {
  private readonly logger = new Logger('Queue');
  private readonly clients: Redis[] = [];

  /** Options for Bull. The database's name keeps platforms apart that share a Redis. */
  options(redisUrl: string, database: string): QueueOptions {
    return {
      prefix: `fieldwright:${database}`,
      createClient: (type) => this.connect(redisUrl, type),
      // What was handed to a worker that is gone is found within two looks at the stalled.
      settings: { lockDuration: 15_000, stalledInterval: 5_000, drainDelay: 1 },
    };
  }

  /** Has the queue hand out nothing more. A Redis that does not hear of it is hung up on, or Bull would wait for it. */
  async end(queue: Queue): Promise<void> {
    const closed = queue.close(true).then(() => true);
    if (await within(CLOSE_MS, closed)) return;
    this.close();
    await closed;
  }

  close(): void {
    for (const client of this.clients) client.disconnect();
  }

  private connect(redisUrl: string, type: 'client' | 'subscriber' | 'bclient'): Redis {
    const client = boundedRedis(redisUrl, {
      lazyConnect: false,
      enableReadyCheck: false,
      socketTimeout: COMMAND_TIMEOUT_MS,
      // What is not possible now fails now, except for the two connections that wait for jobs all the time.
      ...(type === 'client'
        ? { commandTimeout: COMMAND_TIMEOUT_MS }
        : { commandTimeout: undefined, enableOfflineQueue: true, maxRetriesPerRequest: null }),
    });
    client.on('error', () => undefined);
    if (type === 'client') this.tell(client);
    if (type === 'bclient') hangUpAtQuit(client);
    this.clients.push(client);
    return withBrpoplpush(client);
  }

  /** Logs the first error of each time without a connection. */
  private tell(client: Redis): void {
    let told = false;
    client.on('ready', () => (told = false));
    client.on('error', (error: Error) => {
      if (!told) this.logger.warn(`Redis: ${error.message}`);
      told = true;
    });
  }
}

/**
 * Redis hears no QUIT on a connection that waits for jobs; Bull would give it half a second at every stop. One that is not
 * there yet is left to Bull, which waits for it in promises that must not be rejected.
 */
function hangUpAtQuit(client: Redis): void {
  const quit: () => Promise<'OK'> = client.quit.bind(client);
  client.quit = () => {
    if (client.status !== 'ready') return quit();
    client.disconnect();
    return Promise.resolve('OK');
  };
}

/** Bull tells Redis the name of a worker in a promise that nobody catches. Nobody asks for the name either. */
export function unnamed(queue: Queue): Queue {
  return Object.assign(queue, { setWorkerName: () => Promise.resolve() });
}
