import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, realpath, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { type ServerUser } from './server-user.js';

/** The part of a logger that the servers write to; pino's satisfies it. */
export interface ServerLog {
  debug(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** What is the same for every run of a server. */
export interface ServerProgram {
  /** For messages: `PostgreSQL`. */
  name: string;
  command: string;
  /** The working folder; only one server ever runs in it. */
  folder: string;
  user?: ServerUser;
  /** Asks the process for an orderly end; called at the exit of this process too, so it must not be asynchronous. */
  terminate(pid: number): void;
  log: ServerLog;
}

/** A server that is ready. */
export interface RunningServer {
  /** Its last words, once it has ended, however that came about. */
  ended: Promise<string>;
  /** Ends it in an orderly way. */
  stop(): Promise<void>;
}

/** How long an orderly end may take before it is forced. */
const PATIENCE_MS = 30_000;

/**
 * Starts a server and waits, without limit, for the output line that says it is ready: recovery takes what it takes.
 * It runs in a process group of its own, so that Ctrl-C reaches this process alone, which then stops it in due order;
 * should this process exit without that, the server is told to end. Rejects with the server's last words when it ends first,
 * as it has to when `signal` is aborted.
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
      const forced = setTimeout(() => child.kill('SIGQUIT'), PATIENCE_MS);
      await ended;
      clearTimeout(forced);
    },
  };
}

/**
 * Calls `start` with a free loopback port, anew where that port was taken in between or the memory of a server
 * that was killed a moment ago is still being given back.
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
 * Ends the server that an earlier, killed run left behind in `program.folder`, if it still runs, and removes a `pidFile`
 * whose process id has since gone to another program, or that a full disk left without one. The caller holds the folder's
 * lock: no live platform owns the server.
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
    const until = Date.now() + PATIENCE_MS;
    isAlive(pid) && (await isServer(program, pid));
    await delay(100)
  ) {
    if (Date.now() > until)
      throw new Error(
        `${program.name} (process ${pid}), left by an earlier run, does not end; end it by hand.`,
      );
  }
}

/** The first process that works in the server's folder, where the system tells: Linux does. */
function processIn({ folder, user }: ServerProgram): number | undefined {
  const pattern = folder.replace(/[\\*?[]/g, '\\$&');
  const args = ['/proc', '-maxdepth', '2', '-name', 'cwd', '-lname', pattern];
  const { stdout } = spawnSync('find', args, { ...user, encoding: 'utf8', windowsHide: true });
  const ids = Array.from(stdout?.matchAll(/^\/proc\/(\d+)\/cwd$/gm) ?? [], ([, id]) => Number(id));
  return ids.sort((a, b) => a - b)[0];
}

/** Whether the process `pid` is this server, and neither a stranger that was given its id nor an unreaped dead one. */
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

/** Whether any process has this id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
