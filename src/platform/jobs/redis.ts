import { Redis, type RedisOptions } from 'ioredis';
import { withTimeout } from '../../lib/async/with-timeout.js';

/** Injection token of the Redis URL, either configured or of the embedded server. */
export const REDIS_URL = Symbol('redis url');

const AUTHENTICATION_ERROR = /^(NOAUTH|WRONGPASS|ERR (invalid password|AUTH))/;
const PROBE_MS = 1_500;
const PROBE_KEY = 'fieldwright:probe';

/**
 * Timeouts of connections to a Redis that is down, hangs or is unreachable; the defaults wait indefinitely. Commands
 * fail after half a second, or immediately if there is no connection. Silent connections are replaced.
 */
const BOUNDED_OPTIONS: RedisOptions = {
  connectTimeout: 1_000,
  commandTimeout: 500,
  socketTimeout: 1_000,
  disconnectTimeout: 200,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  // Both would send commands whose failures ioredis does not expose, or which precede and block the first command.
  autoResubscribe: false,
  disableClientInfo: true,
  retryStrategy: (times) => Math.min(times * 200, 2_000),
};

/** Returns a connection with short timeouts. It connects on `connect()`. The caller handles its errors. */
export function boundedRedis(url: string, options: RedisOptions = {}): Redis {
  const client = new Redis(url, { ...BOUNDED_OPTIONS, lazyConnect: true, ...options });
  // ioredis keeps this timer when a connection closes: it would destroy the next connection, or keep the process alive.
  client.on('close', () => {
    clearTimeout(client['socketTimeoutTimer'] as NodeJS.Timeout | undefined);
    client['socketTimeoutTimer'] = undefined;
  });
  return client;
}

/**
 * Returns whether Redis responds and accepts writes, which it refuses when its memory is full. If it is down, it may come
 * back, and the platform runs without it until then. If it rejects the password, throws an error with a message for the
 * operator, because retrying cannot succeed.
 */
export async function pingRedis(url: string): Promise<boolean> {
  const client = boundedRedis(url, { retryStrategy: () => null });
  const refusals: Error[] = [];
  client.on('error', (error: Error) => refusals.push(error));
  try {
    return (await withTimeout(PROBE_MS, ping(client))) ?? false;
  } catch (error) {
    const refusal = [...refusals, error as Error].find(({ message }) => AUTHENTICATION_ERROR.test(message));
    if (refusal)
      throw new Error(`REDIS_URL: Redis rejects the password (${refusal.message})`, { cause: error });
    return false;
  } finally {
    client.disconnect();
  }
}

async function ping(client: Redis): Promise<true> {
  await client.connect();
  await client.set(PROBE_KEY, '', 'PX', PROBE_MS);
  return true;
}
