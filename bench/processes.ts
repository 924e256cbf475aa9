import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export type Child = ChildProcess & { pid: number };

const CORES = [0, 1];

/**
 * Whether processes can be held on cores of their own: the server on one and the generator of load on the other. Then
 * what a request costs is not blurred by moves between cores. PostgreSQL runs where it likes.
 */
export const pinned = CORES.every((core) => spawnSync('taskset', ['-c', String(core), 'true']).status === 0);

/** Starts a compiled file beside this one. Whatever it writes to standard output is dropped, as by a log that is fast. */
export function launch(
  file: string,
  options: { core: number; env?: NodeJS.ProcessEnv; flags?: string[] },
): Child {
  const { core, env = process.env, flags = [] } = options;
  const program = [process.execPath, ...flags, join(import.meta.dirname, file)];
  const [command, ...args] = pinned ? ['taskset', '-c', String(core), ...program] : program;
  const child = spawn(command!, args, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  if (child.pid === undefined) throw new Error(`${file} did not start`);
  return child as Child;
}

/** A server that answers. */
export interface RunningServer {
  child: Child;
  port: number;
  stop(): Promise<void>;
}

/** Starts a server and waits until `path` is answered. */
export async function launchServer(
  file: string,
  env: NodeJS.ProcessEnv,
  path: string,
  flags?: string[],
): Promise<RunningServer> {
  const port = await freePort();
  const child = launch(file, { core: 0, env: { ...env, PORT: String(port) }, flags });
  const answers = () =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let tries = 0; child.exitCode === null && tries < 600; tries++) {
    if (await answers())
      return {
        child,
        port,
        async stop() {
          child.kill('SIGTERM');
          if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
        },
      };
    await delay(100);
  }
  child.kill('SIGKILL');
  throw new Error(`${file} did not start`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
