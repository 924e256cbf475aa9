import { Logger } from '@nestjs/common';
import type { JobOptions, QueueOptions } from 'bull';
import { Redis, type RedisOptions } from 'ioredis';
import { withBrpoplpush } from './private-redis.js';

/** The one queue. What it holds are ids of rows, to wake a worker. */
export const QUEUE = 'jobs';

/** The queue takes an id once, however often it is added, and forgets it when it is through. */
export function queueEntry(id: string): JobOptions {
  return { jobId: id, attempts: 1, removeOnComplete: true, removeOnFail: true };
}

const COMMAND_TIMEOUT_MS = 5_000;
const MOST_BETWEEN_TRIES_MS = 2_000;

/** The queue's connections to Redis: one in a process that only adds, three in a worker. */
export class QueueConnections {
  private readonly logger = new Logger('Queue');
  private readonly clients: Redis[] = [];

  /** Options for Bull. The database's name keeps platforms apart that share a Redis. */
  options(redisUrl: string, database: string): QueueOptions {
    return {
      prefix: `fieldwright:${database}`,
      createClient: (type, options) => this.connect(redisUrl, type, options),
      // What was handed to a worker that is gone is found within two looks at the stalled.
      settings: { lockDuration: 15_000, stalledInterval: 5_000, drainDelay: 1 },
    };
  }

  close(): void {
    for (const client of this.clients) {
      // Bull waits for a first connection in promises that nobody catches: the end must not reject them.
      client.removeAllListeners('end');
      client.disconnect();
    }
  }

  private connect(
    redisUrl: string,
    type: 'client' | 'subscriber' | 'bclient',
    options?: RedisOptions,
  ): Redis {
    const { host: _host, port: _port, ...given } = options ?? {};
    const client = new Redis(redisUrl, {
      ...given,
      retryStrategy: (times) => Math.min(times * 200, MOST_BETWEEN_TRIES_MS),
      // What is not possible now fails now, except for the two connections that wait for jobs all the time.
      ...(type === 'client'
        ? { enableOfflineQueue: false, commandTimeout: COMMAND_TIMEOUT_MS }
        : { maxRetriesPerRequest: null }),
    });
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
