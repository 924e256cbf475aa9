import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, realpath, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { type ServerUser } from './server-user.js';

/** The part of a logger that the servers use; pino satisfies it. */
export interface ServerLog {
  debug(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** Settings shared by all runs of a server. */
export interface ServerProgram {
  /** Name in messages, such as `PostgreSQL`. */
  name: string;
  command: string;
  /** Working folder, in which at most one server runs. */
  folder: string;
  user?: ServerUser;
  /** Requests a graceful shutdown of the process. Synchronous, because it is also called when this process exits. */
  terminate(pid: number): void;
  log: ServerLog;
}

/** A server that is ready. */
export interface RunningServer {
  /** Resolves with the last output of the server once it has ended for any reason. */
  ended: Promise<string>;
  /** Shuts the server down gracefully. */
  stop(): Promise<void>;
}

/** Time to shut down gracefully before the process is killed. */
const START_TIMEOUT_MS = 30_000;

/**
 * Starts a server and waits, without limit, for the output line that reports it ready, because recovery can take long.
 * The server has its own process group, so that Ctrl-C reaches only this process, which then stops it in the right
 * order. If this process exits otherwise, the server is asked to shut down. Rejects with the last output of the server
 * if it ends early, which it must do when `signal` is aborted.
 */
export async function startServer(
  program: ServerProgram & {
    args: readonly string[];
    env?: NodeJS.ProcessEnv;
    input?: string;
    ready: RegExp;
    signal?: AbortSignal;
  },
): Promise<RunningServer> {
  const { name, log, signal } = program;
  signal?.throwIfAborted();
  const child = spawn(program.command, program.args, {
    ...program.user,
    cwd: program.folder,
    env: program.env,
    detached: true,
    windowsHide: true,
  });
  const lastWords: string[] = [];
  const terminate = (): void => {
    if (child.pid && child.exitCode === null && child.signalCode === null) program.terminate(child.pid);
  };
  const ended = new Promise<string>((resolve) => {
    const end = (): void => resolve(lastWords.join('\n'));
    child.once('close', end);
    child.once('error', (error) => {
      lastWords.push(error.message);
      if (child.pid === undefined) end();
    });
  });
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lastWords.push(line);
        if (lastWords.length > 10) lastWords.shift();
        log.debug(`${name}: ${line}`);
        if (program.ready.test(line)) resolve();
      });
    }
  });
  child.stdin.on('error', () => undefined).end(program.input);
  process.once('exit', terminate);
  signal?.addEventListener('abort', terminate);
  void ended.then(() => {
    process.removeListener('exit', terminate);
    signal?.removeEventListener('abort', terminate);
  });

  const early = ended.then((words) => Promise.reject(new Error(`${name} did not start: ${words}`)));
  early.catch(() => undefined);
  await Promise.race([ready, early]);
  return {
    ended,
    async stop() {
      terminate();
      const forced = setTimeout(() => child.kill('SIGQUIT'), START_TIMEOUT_MS);
      await ended;
      clearTimeout(forced);
    },
  };
}

/**
 * Calls `start` with a free loopback port. Retries if the port was taken in between, or if the memory of a killed
 * server has not been released yet.
 */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (attempt === 10 || !(error instanceof Error) || !/\bin use\b/i.test(error.message)) throw error;
      await delay(500);
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

/**
 * Stops the server that an earlier, killed run left behind in `program.folder`, if it is still running. Removes a
 * `pidFile` that is empty after a full disk, or whose process ID has been reused by another program. The caller holds
 * the lock of the folder, so no live platform owns the server.
 */
export async function stopOrphan(program: ServerProgram, pidFile: string): Promise<void> {
  const text = await readFile(pidFile, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const written = Number.parseInt(text, 10);
  const pid = written > 1 ? written : processIn(program);
  if (pid === undefined) return rm(pidFile);
  if (!isAlive(pid)) return;
  if (!(await isServer(program, pid))) return rm(pidFile);
  program.log.warn(`Stopping the ${program.name} (process ${pid}) that an earlier run left behind.`);
  program.terminate(pid);
  for (
    const until = Date.now() + START_TIMEOUT_MS;
    isAlive(pid) && (await isServer(program, pid));
    await delay(100)
  ) {
    if (Date.now() > until)
      throw new Error(
        `${program.name} (process ${pid}), left behind by an earlier run, does not end; stop it manually.`,
      );
  }
}

/** Returns the first process that works in the folder of the server, on systems that report it, such as Linux. */
function processIn({ folder, user }: ServerProgram): number | undefined {
  const pattern = folder.replace(/[\\*?[]/g, '\\$&');
  const args = ['/proc', '-maxdepth', '2', '-name', 'cwd', '-lname', pattern];
  const { stdout } = spawnSync('find', args, { ...user, encoding: 'utf8', windowsHide: true });
  const ids = Array.from(stdout?.matchAll(/^\/proc\/(\d+)\/cwd$/gm) ?? [], ([, id]) => Number(id));
  return ids.sort((a, b) => a - b)[0];
}

/** Returns whether the process `pid` is this server, rather than another program with a reused ID or a zombie. */
async function isServer({ folder, user, name }: ServerProgram, pid: number): Promise<boolean> {
  const output = (command: string, ...args: string[]): string =>
    spawnSync(command, args, { ...user, encoding: 'utf8', windowsHide: true }).stdout ?? '';
  switch (process.platform) {
    case 'linux':
      return output('readlink', `/proc/${pid}/cwd`).trim() === (await realpath(folder));
    case 'win32':
      return output('tasklist', '/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH')
        .toLowerCase()
        .includes(name.slice(0, 5).toLowerCase());
    default:
      return output('ps', '-o', 'command=', '-p', String(pid))
        .toLowerCase()
        .includes(name.slice(0, 5).toLowerCase());
  }
}

/** Returns whether a process has this ID. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
