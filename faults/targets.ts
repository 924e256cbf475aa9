import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PrivateServer } from '../src/lib/processes/server-supervisor.js';
import { SERVER_FLAGS } from '../test/setup/server-flags.js';

const POLL_INTERVAL_MS = 50;
/** Time in which a process must serve, with PostgreSQL unavailable for some of it. */
const START_MS = 180_000;
/** Title of a process of PostgreSQL with a connection: user, database, address and command. */
const BACKEND = /^postgres: \S+ \S+ (\[local\]|\S+\(\d+\)) /;
/** The supervisor gives up a server that ends repeatedly within ten seconds of its start. */
const REST_MS = 11_000;

/** What a process prints when it serves. */
const READY = ' is ready';
const MAIN = join(import.meta.dirname, '../src/main.js');

/** A process group that can be killed and hung. */
export interface Target {
  readonly name: string;
  /** IDs of its processes; the first is the parent of all others. */
  pids(): number[];
  /** Whether the target can be killed now. */
  readonly isRested: boolean;
  /** Kills the target and resolves when it serves again. */
  kill(): Promise<void>;
}

/** Pauses every process of a target for a while: connections stay open but get no response. */
export async function hang(target: Target, ms: number): Promise<void> {
  const pids = target.pids();
  for (const pid of pids) signal(pid, 'SIGSTOP');
  await sleep(ms);
  for (const pid of pids) signal(pid, 'SIGCONT');
}

/** A process that has ended needs no signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A process of the platform. It is restarted after a kill, as a service manager would do. */
export class PlatformTarget implements Target {
  readonly isRested = true;
  private child: ChildProcess;
  private isWanted = true;

  constructor(
    readonly name: string,
    private readonly port: number,
    private readonly env: NodeJS.ProcessEnv,
    /** File that receives its output. */
    private readonly logFile: string,
    /** Called if the process ends by itself, which must never happen. */
    private readonly crashed: (name: string) => void,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  pids(): number[] {
    return [this.child.pid!];
  }

  /** Starts the process, and again if it ends, as it does without PostgreSQL. Rejects if it does not serve in time. */
  async start(): Promise<void> {
    const end = Date.now() + START_MS;
    do {
      const log = openSync(this.logFile, 'a');
      const { size } = fstatSync(log);
      // Another process could serve at the same port.
      const isReady = () => readFileSync(this.logFile).subarray(size).includes(READY);
      const child = spawn(process.execPath, [...SERVER_FLAGS, MAIN], {
        env: { ...this.env, PORT: String(this.port) },
        stdio: ['ignore', log, log],
      });
      this.child = child;
      closeSync(log);
      while (child.exitCode === null && child.signalCode === null && Date.now() < end) {
        if (isReady() && (await this.serves())) return this.watch(child);
        await sleep(POLL_INTERVAL_MS);
      }
    } while (Date.now() < end);
    throw new Error(`A process did not start: ${this.name}, see ${this.logFile}`);
  }

  async kill(): Promise<void> {
    await this.end('SIGKILL');
    this.isWanted = true;
    await this.start();
  }

  stop(): Promise<void> {
    return this.end('SIGTERM');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    this.isWanted = false;
    const { child } = this;
    const ended = once(child, 'exit');
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await ended;
  }

  private watch(child: ChildProcess): void {
    child.once('exit', () => {
      if (!this.isWanted) return;
      this.crashed(this.name);
      void this.start();
    });
  }

  /** Whether the process reports that it is ready. */
  serves(): Promise<boolean> {
    return fetch(`${this.url}/health/ready`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}

/**
 * A connection of PostgreSQL: one with a statement, if possible. After its kill, the server ends all connections and
 * recovers without a restart.
 */
export class BackendTarget implements Target {
  readonly name = 'PostgreSQL backend';
  readonly isRested = true;

  constructor(
    private readonly server: Target,
    /** Whether the server accepts statements. */
    private readonly serves: () => Promise<boolean>,
  ) {}

  /** Empty while the server is not running. */
  pids(): number[] {
    try {
      const backends = this.server
        .pids()
        .map((pid) => ({
          pid,
          title: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
        }))
        .filter(({ title }) => BACKEND.test(title));
      const found = backends.find(({ title }) => !title.endsWith(' idle')) ?? backends[0];
      return found ? [found.pid] : [];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return [];
    }
  }

  async kill(): Promise<void> {
    let pid: number | undefined;
    while ((pid = this.pids()[0]) === undefined) await sleep(POLL_INTERVAL_MS);
    signal(pid, 'SIGKILL');
    do await sleep(POLL_INTERVAL_MS);
    while (!(await this.serves()));
  }
}

/** A PostgreSQL or Redis that was started by this process, which restarts it after a kill. */
export class ServerTarget implements Target {
  private restedAt = 0;

  constructor(
    readonly name: string,
    private readonly server: PrivateServer,
    private readonly pidFile: string,
    /** Whether it responds, for a server that restarts itself if one of its other processes is killed. */
    private readonly serves?: () => Promise<boolean>,
  ) {}

  get isRested(): boolean {
    return this.serves !== undefined || Date.now() >= this.restedAt;
  }

  pids(): number[] {
    const pid = Number.parseInt(readFileSync(this.pidFile, 'utf8'), 10);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return [pid, ...children.split(' ').filter(Boolean).map(Number)];
  }

  async kill(): Promise<void> {
    if (this.serves && Date.now() < this.restedAt) return this.killChild(this.serves);
    process.kill(this.pids()[0]!, 'SIGKILL');
    while (this.server.isRunning) await sleep(POLL_INTERVAL_MS);
    while (!this.server.isRunning) await sleep(POLL_INTERVAL_MS);
    this.restedAt = Date.now() + REST_MS;
  }

  /** The first process then ends all connections, and recovers as after a kill of its own. */
  private async killChild(serves: () => Promise<boolean>): Promise<void> {
    const children = this.pids().slice(1);
    // The process of a connection may just be ending by itself, unlike the first one.
    signal(children[0]!, 'SIGKILL');
    while (children.some((pid) => existsSync(`/proc/${pid}`))) await sleep(POLL_INTERVAL_MS);
    while (!(await serves())) await sleep(POLL_INTERVAL_MS);
  }
}
