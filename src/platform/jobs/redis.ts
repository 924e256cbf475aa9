import { Redis, type RedisOptions } from 'ioredis';
import { within } from '../patience.js';

/** The address of Redis, as the platform was started with or as it started its own. */
export const REDIS_URL = Symbol('redis url');

const REFUSED = /^(NOAUTH|WRONGPASS|ERR (invalid password|AUTH))/;
const PROBE_MS = 1_500;

/**
 * How connections bear a Redis that is away, hangs or is cut off: by themselves they would wait for ever. What it does not
 * answer in half a second has failed, what cannot be sent fails at once, and a connection that stays silent is replaced.
 */
const BOUNDS: RedisOptions = {
  connectTimeout: 1_000,
  commandTimeout: 500,
  socketTimeout: 1_000,
  disconnectTimeout: 200,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  // Both would be commands of which ioredis lets no failure be caught, or that come before the first one and wait.
  autoResubscribe: false,
  disableClientInfo: true,
  retryStrategy: (times) => Math.min(times * 200, 2_000),
};

/** A connection that nobody waits for long; it connects when `connect` is called. Errors are for its owner to hear. */
export function boundedRedis(url: string, options: RedisOptions = {}): Redis {
  const client = new Redis(url, { ...BOUNDS, lazyConnect: true, ...options });
  // ioredis keeps this timer when a connection closes: it would destroy the next connection, or keep the process alive.
  client.on('close', () => {
    clearTimeout(client['socketTimeoutTimer'] as NodeJS.Timeout | undefined);
    client['socketTimeoutTimer'] = undefined;
  });
  return client;
}

/**
 * Whether Redis answers. One that is away may come back, and the platform serves without it meanwhile; one that refuses
 * the password never will: then this throws a sentence for the operator.
 */
export async function redisAnswers(url: string): Promise<boolean> {
  const client = boundedRedis(url, { retryStrategy: () => null });
  const refusals: Error[] = [];
  client.on('error', (error: Error) => refusals.push(error));
  try {
    return (await within(PROBE_MS, ping(client))) ?? false;
  } catch (error) {
    const refusal = [...refusals, error as Error].find(({ message }) => REFUSED.test(message));
    if (refusal)
      throw new Error(`REDIS_URL: Redis refuses the password (${refusal.message})`, { cause: error });
    return false;
  } finally {
    client.disconnect();
  }
}

async function ping(client: Redis): Promise<true> {
  await client.connect();
  await client.ping();
  return true;
}
