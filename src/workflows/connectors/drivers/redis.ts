import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { RunFault } from '../../engine/run-error.js';
import type { RedisRequest, RedisServer } from '../services.js';
import type { Connection, Driver } from './driver.js';

/** Commands without a single reply. */
const REFUSED = new Set(['monitor', 'psubscribe', 'psync', 'ssubscribe', 'subscribe', 'sync']);
/** Commands that change the state of a connection, so that no other call may use it. */
const STATEFUL = new Set([
  ...['asking', 'auth', 'client', 'discard', 'exec', 'hello', 'multi', 'quit'],
  ...['readonly', 'readwrite', 'reset', 'select', 'unwatch', 'watch'],
]);

/** Redis and compatible servers. */
export const redis: Driver<RedisServer, RedisRequest> = {
  async open(server, timeoutMs) {
    const { Redis, Cluster, ...others } = await import('ioredis');
    const ReplyError = others.ReplyError as new () => Error;
    const isReply = (error: unknown): error is Error => error instanceof ReplyError;
    const client = server.cluster
      ? new Cluster([...server.cluster], clusterOptions(server, timeoutMs))
      : new Redis({ ...options(server, timeoutMs), host: server.host, port: server.port });
    // Failed connections are errors of the command.
    client.on('error', () => undefined);
    try {
      await client.connect();
      if (!server.cluster) await signIn(client as Redis, server);
    } catch (error) {
      client.disconnect();
      throw asFault(error, isReply);
    }
    return new RedisConnection(client, isReply);
  },
};

type IsReply = (error: unknown) => error is Error;

const asFault = (error: unknown, isReply: IsReply): unknown =>
  isReply(error) ? new RunFault('RedisError', error.message) : error;

/** One attempt: the connection belongs to a call that reports its failure. */
function options({ tls }: RedisServer, connectTimeout: number): RedisOptions {
  return {
    lazyConnect: true,
    connectTimeout,
    enableReadyCheck: false,
    enableOfflineQueue: false,
    disableClientInfo: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    ...(tls && { tls: tls }),
  };
}

function clusterOptions(server: RedisServer, timeoutMs: number) {
  const { username, password } = server;
  return {
    lazyConnect: true,
    enableReadyCheck: false,
    clusterRetryStrategy: () => null,
    slotsRefreshTimeout: timeoutMs,
    redisOptions: { ...options(server, timeoutMs), username: username || undefined, password },
  };
}

/** The client would ignore errors of these commands, and run others on database 0. */
async function signIn(client: Redis, { username, password, database }: RedisServer): Promise<void> {
  if (password) await client.call('AUTH', ...(username ? [username, password] : [password]));
  if (database) await client.call('SELECT', String(database));
}

class RedisConnection implements Connection<RedisRequest> {
  isReusable = true;

  constructor(
    private readonly client: Redis | Cluster,
    private readonly isReply: IsReply,
  ) {}

  async run({ command, args }: RedisRequest): Promise<unknown> {
    const name = command.trim().toLowerCase();
    if (REFUSED.has(name)) throw new RunFault('ValidationError', `command must not be ${name}`);
    if (STATEFUL.has(name)) this.isReusable = false;
    try {
      return await this.client.call(name, [...args]);
    } catch (error) {
      throw asFault(error, this.isReply);
    }
  }

  close(): void {
    this.client.disconnect();
  }
}
