import { Redis } from 'ioredis';

/** The address of Redis, as the platform was started with or as it started its own. */
export const REDIS_URL = Symbol('redis url');

const REFUSED = /^(NOAUTH|WRONGPASS|ERR (invalid password|AUTH))/;

/**
 * Whether Redis answers. One that is away may come back, and the platform serves without it meanwhile; one that refuses
 * the password never will: then this throws a sentence for the operator.
 */
export async function redisAnswers(url: string): Promise<boolean> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 2_000,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  const refusals: Error[] = [];
  client.on('error', (error: Error) => refusals.push(error));
  try {
    await client.connect();
    await client.ping();
    return true;
  } catch (error) {
    const refusal = [...refusals, error as Error].find(({ message }) => REFUSED.test(message));
    if (refusal)
      throw new Error(`REDIS_URL: Redis refuses the password (${refusal.message})`, { cause: error });
    return false;
  } finally {
    client.disconnect();
  }
}
