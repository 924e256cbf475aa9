import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { type Redis } from 'ioredis';
import { lockFolder } from '../../lib/processes/folder-lock.js';
import { superviseServerOnFreePort, type PrivateServer } from '../../lib/processes/server-supervisor.js';
import {
  type RunningServer,
  type ServerLog,
  type ServerProgram,
  startServer,
  stopOrphan,
} from '../../lib/processes/server-process.js';
import { changeOwner, serverUser } from '../../lib/processes/server-user.js';

/** A Redis server that this process owns. */
export interface PrivateRedis extends PrivateServer {
  url: string;
  /** `in-process` is for evaluation only: it stores nothing on disk and needs `withBrpoplpush`. */
  kind: 'redis' | 'valkey' | 'in-process';
  stop(): Promise<void>;
}

/**
 * Starts a Redis of this process on a free port of 127.0.0.1. Uses the `redis-server` or `valkey-server` on the PATH,
 * with an append-only file below `dataDir/redis`; otherwise, an in-process Redis. Throws an error with a message for
 * the operator if another platform process uses the same folder. If the server exits, it is restarted at the same
 * address; `lost` is called if that fails. Unreadable data is moved aside: it only wakes workers and counts failed
 * sign-ins, so no work is lost.
 */
export async function startPrivateRedis(options: {
  dataDir: string;
  log: ServerLog;
  lost?: (error: Error) => void;
}): Promise<PrivateRedis> {
  const kind = installedRedis();
  return kind ? startRedisServer({ ...options, kind }) : startInProcessRedis();
}

/** Returns the server that is on the PATH, if any. */
export function installedRedis(): 'redis' | 'valkey' | undefined {
  return (['redis', 'valkey'] as const).find(
    (kind) => spawnSync(`${kind}-server`, ['--version']).status === 0,
  );
}

async function startRedisServer(options: {
  dataDir: string;
  log: ServerLog;
  kind: 'redis' | 'valkey';
  lost?: (error: Error) => void;
}): Promise<PrivateRedis> {
  const { kind, log } = options;
  const home = join(resolve(options.dataDir), 'redis');
  const folder = join(home, 'data');
  const unlock = await lockFolder(home);
  try {
    const user = serverUser(folder, ['redis', 'valkey', 'nobody']);
    const program: ServerProgram = {
      name: kind === 'redis' ? 'Redis' : 'Valkey',
      command: `${kind}-server`,
      folder,
      user,
      terminate: (pid) => process.kill(pid, 'SIGTERM'),
      log,
    };
    const password = randomBytes(24).toString('base64url');
    const startAt = async (port: number, signal: AbortSignal): Promise<RunningServer> => {
      await stopOrphan(program, join(folder, PID_FILE));
      if (!existsSync(folder)) {
        await mkdir(folder, { mode: 0o700 });
        if (user) changeOwner(folder, user);
      }
      const input = configuration(port, password);
      return startServer({ ...program, args: ['-'], input, ready: READY, signal });
    };
    const start = (port: number, signal: AbortSignal): Promise<RunningServer> =>
      startAt(port, signal).catch(async (error: Error) => {
        if (!isCorruption(error.message)) throw error;
        const aside = `${folder}.damaged`;
        log.warn(
          `${program.name} cannot read its data, which is now in ${aside}; no job is lost. ${error.message}`,
        );
        await rm(aside, { recursive: true, force: true });
        await rename(folder, aside);
        return startAt(port, signal);
      });
    const { server, port } = await superviseServerOnFreePort({ ...program, lost: options.lost, start });
    const stop = async (): Promise<void> => {
      await server.stop();
      await unlock();
    };
    let stopped: Promise<void> | undefined;
    return {
      url: `redis://:${password}@127.0.0.1:${port}`,
      kind,
      get isRunning() {
        return server.isRunning;
      },
      stop: () => (stopped ??= stop()),
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

const PID_FILE = 'redis.pid';
const READY = /Ready to accept connections/;
/** Whether the final output of the server reports damaged files, rather than a system error when accessing them. */
function isCorruption(lastWords: string): boolean {
  const isAboutFiles = /\b(AOF|RDB|append.?only)\b/i.test(lastWords);
  return (
    isAboutFiles &&
    !/permission denied|no space left|read-only file|too many open|cannot allocate|input\/output/i.test(
      lastWords,
    )
  );
}

/** Passed on standard input, because the password would be visible on the command line. */
function configuration(port: number, password: string): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
    `pidfile ${PID_FILE}`,
    'daemonize no',
  ].join('\n');
}

/** Starts an in-process Redis for evaluation and tests. It stores nothing on disk, and Bull needs `withBrpoplpush`. */
export async function startInProcessRedis(): Promise<PrivateRedis> {
  const library = await import('js-redis-server/core').catch(() => {
    throw new Error(
      'Neither redis-server nor js-redis-server is installed; set REDIS_URL to your own Redis or Valkey server.',
    );
  });
  const { createRedisCommandExecutor, RedisServerState, Resp2Server } = library;
  const requirepass = randomBytes(24).toString('base64url');
  // The library's own `listen()` sets no password and binds all interfaces.
  const redis = new Resp2Server({
    server: new RedisServerState({ databaseCount: 1, requirepass }),
    executor: createRedisCommandExecutor(),
  });
  const sockets = new Set<Socket>();
  redis.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(redis.server.listen(0, '127.0.0.1'), 'listening');
  const { port } = redis.server.address() as AddressInfo;
  return {
    url: `redis://:${requirepass}@127.0.0.1:${port}`,
    kind: 'in-process',
    isRunning: true,
    stop: async () => {
      const closed = redis.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Lets Bull run on the in-process Redis, which lacks the command that Bull blocks on. Pass it to `createClient`. */
export function withBrpoplpush<Client extends Redis>(client: Client): Client {
  client.brpoplpush = (source, destination, timeout) =>
    client.blmove(source, destination, 'RIGHT', 'LEFT', timeout);
  return client;
}
