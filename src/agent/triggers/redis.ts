import { textIn, type Driver } from './driver.js';

const MAX_RETRY_MS = 30_000;

/** Fires for each message on channels of a Redis server that match a pattern. */
export const redis: Driver = async ({ config, fire, log }) => {
  const pattern = textIn(config, 'topic');
  if (pattern === '') throw new Error('config.topic is required');
  const { Redis } = await import('ioredis');
  const client = new Redis({
    host: textIn(config, 'host') || '127.0.0.1',
    port: Number(textIn(config, 'port') || 6_379),
    password: textIn(config, 'password') || undefined,
    lazyConnect: true,
    // Subscriptions are renewed with each connection.
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(MAX_RETRY_MS, attempt * 1_000),
  });
  let lastError = '';
  client.on('error', ({ message }: Error) => {
    if (message !== lastError) log.warn(`The Redis server of a trigger failed: ${message}`);
    lastError = message;
  });
  client.on('pmessage', (found: string, channel: string, message: string) =>
    fire({ data: { message, pattern: found, channel } }),
  );
  client.psubscribe(pattern).catch(() => undefined);
  return () => client.disconnect();
};
