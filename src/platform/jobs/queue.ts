import { Logger } from '@nestjs/common';
import type { JobOptions, Queue, QueueOptions } from 'bull';
import type { Redis } from 'ioredis';
import { withTimeout } from '../../lib/async/with-timeout.js';
import { withBrpoplpush } from './private-redis.js';
import { boundedRedis } from './redis.js';

/** Name of the only queue. It contains IDs of rows, which wake a worker, and their kinds, for operators. */
export const QUEUE = 'jobs';

/** Returns options of a queue entry: an ID is queued once, even if added repeatedly, and removed when finished. */
export function queueEntry(id: string): JobOptions {
  return { jobId: id, attempts: 1, removeOnComplete: true, removeOnFail: true };
}

const COMMAND_TIMEOUT_MS = 5_000;
const CLOSE_MS = 1_000;

/** Connections of the queue to Redis: one in a process that only adds jobs, three in a worker. */
export class QueueConnections {
  private readonly logger = new Logger('Queue');
  private readonly clients: Redis[] = [];

  /** Returns the options for Bull. The name of the database separates platforms that share a Redis. */
  options(redisUrl: string, database: string): QueueOptions {
    return {
      prefix: `fieldwright:${database}`,
      createClient: (type) => this.connect(redisUrl, type),
      // Jobs of a dead worker are found within two checks for stalled jobs.
      settings: { lockDuration: 15_000, stalledInterval: 5_000, drainDelay: 1 },
    };
  }

  /** Stops the queue from delivering jobs. Disconnects from an unresponsive Redis, which Bull would wait for. */
  async end(queue: Queue): Promise<void> {
    const closed = queue.close(true).then(() => true);
    if (await withTimeout(CLOSE_MS, closed)) return;
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
      // Commands fail immediately if there is no connection, except on the two connections that block for jobs.
      ...(type === 'client'
        ? { commandTimeout: COMMAND_TIMEOUT_MS }
        : { commandTimeout: undefined, enableOfflineQueue: true, maxRetriesPerRequest: null }),
    });
    client.on('error', () => undefined);
    if (type === 'client') this.logOutage(client);
    if (type === 'bclient') disconnectOnQuit(client);
    this.clients.push(client);
    return withBrpoplpush(client);
  }

  /** Logs the first error of each outage. */
  private logOutage(client: Redis): void {
    let told = false;
    client.on('ready', () => (told = false));
    client.on('error', (error: Error) => {
      if (!told) this.logger.warn(`Redis: ${error.message}`);
      told = true;
    });
  }
}

/**
 * Disconnects instead of sending QUIT, which Redis does not process while the connection blocks for jobs; Bull would
 * wait half a second at each stop. Bull handles connections that are not yet open: it waits for them in promises that
 * must not reject.
 */
function disconnectOnQuit(client: Redis): void {
  const quit: () => Promise<'OK'> = client.quit.bind(client);
  client.quit = () => {
    if (client.status !== 'ready') return quit();
    client.disconnect();
    return Promise.resolve('OK');
  };
}

/**
 * Stops Bull from sending the name of the worker to Redis, which is unused and whose rejection Bull does not handle.
 */
export function unnamed(queue: Queue): Queue {
  return Object.assign(queue, { setWorkerName: () => Promise.resolve() });
}
