import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../test/setup/free-port.js';
import { SERVER_FLAGS } from '../test/setup/server-flags.js';

export type Child = ChildProcess & { pid: number };

const CORES = [0, 1];

/**
 * Whether processes can be pinned to separate cores: the server to one and the load generator to another. Results are
 * then not distorted by moves between cores. PostgreSQL is not pinned.
 */
export const pinned = CORES.every((core) => spawnSync('taskset', ['-c', String(core), 'true']).status === 0);

/**
 * Starts a compiled file of this folder with the flags of `npm start` and others. Its standard output is discarded, which
 * simulates a fast log.
 */
export function launch(
  file: string,
  options: { core: number; env?: NodeJS.ProcessEnv; flags?: string[] },
): Child {
  const { core, env = process.env, flags = [] } = options;
  const program = [process.execPath, ...SERVER_FLAGS, ...flags, join(import.meta.dirname, file)];
  const [command, ...args] = pinned ? ['taskset', '-c', String(core), ...program] : program;
  const child = spawn(command!, args, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  if (child.pid === undefined) throw new Error(`${file} did not start`);
  return child as Child;
}

/** Returns the next message of a process. Rejects if the process ends before, because nothing else would end the wait. */
export function messageOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null, signal: string | null) => {
      child.off('message', received);
      reject(new Error(`A process ended with ${code ?? signal} before it responded`));
    };
    const received = (message: unknown) => {
      child.off('exit', ended);
      resolve(message as T);
    };
    child.once('exit', ended).once('message', received);
  });
}

/** A server that accepts requests. */
export interface RunningServer {
  child: Child;
  port: number;
  stop(): Promise<void>;
}

/** Starts a server and waits until `path` responds. */
export async function launchServer(
  file: string,
  env: NodeJS.ProcessEnv,
  path: string,
  flags?: string[],
): Promise<RunningServer> {
  const port = Number(await freePort());
  const child = launch(file, {
    core: 0,
    env: { MQTT_PORT: '0', SITES_PORT: '0', ...env, PORT: String(port) },
    flags,
  });
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
