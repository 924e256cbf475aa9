import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { RunFault } from '../engine/run-error.js';
import type { Answer, ProcessOptions, ToProcess, Work } from './protocol.js';

/** Time in milliseconds that an idle process is kept. */
const IDLE_MS = 120_000;
/** Time after its time-out in which the process reports a call. It hangs if it does not. */
const GRACE_MS = 5_000;

interface Pending {
  readonly child: ChildProcess;
  resolve(result: unknown): void;
  reject(fault: RunFault): void;
}

/**
 * The process that runs the drivers of other services. It starts with the first call, is replaced after a crash, and
 * ends when it is idle. It has none of the environment variables of the platform.
 */
export class ConnectorProcess {
  private child?: ChildProcess;
  private idle?: NodeJS.Timeout;
  private lastId = 0;
  private readonly pending = new Map<number, Pending>();

  constructor(private readonly options: ProcessOptions) {}

  /** ID of the process, if it is running. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Calls another service. Throws a `RunFault`. */
  async call(work: Omit<Work, 'id'>, signal: AbortSignal): Promise<unknown> {
    if (signal.aborted) throw interrupted();
    clearTimeout(this.idle);
    const child = (this.child ??= this.start());
    const id = ++this.lastId;
    const send = (message: ToProcess) => child.send(message, () => undefined);
    const abort = (): void => {
      send({ cancelled: id });
      this.pending.get(id)?.reject(interrupted());
    };
    const hung = setTimeout(() => child.kill('SIGKILL'), work.timeoutMs + GRACE_MS);
    try {
      return await new Promise<unknown>((resolve, reject) => {
        this.pending.set(id, { child, resolve, reject });
        signal.addEventListener('abort', abort, { once: true });
        send({ ...work, id });
      });
    } finally {
      clearTimeout(hung);
      signal.removeEventListener('abort', abort);
      this.pending.delete(id);
      if (this.pending.size === 0 && this.child === child)
        this.idle = setTimeout(() => void this.end(), IDLE_MS).unref();
    }
  }

  /** Ends the process; resolves once it has exited. Calls fail. */
  async end(): Promise<void> {
    clearTimeout(this.idle);
    const { child } = this;
    this.child = undefined;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  private start(): ChildProcess {
    const child = fork(new URL(import.meta.resolve('./connector-child.js')), [JSON.stringify(this.options)], {
      // Drivers convert times in the zone of their process.
      env: { TZ: 'UTC' },
      execArgv: [
        ...process.execArgv,
        `--max-old-space-size=${this.options.memoryMb}`,
        '--max-semi-space-size=16',
      ],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.on('message', (message) => this.handle(message as Answer));
    // A process that could not be started emits no exit event.
    child.on('error', () => this.handleExit(child));
    child.on('exit', () => this.handleExit(child));
    return child;
  }

  private handle(answer: Answer): void {
    const pending = this.pending.get(answer.id);
    if (!pending) return;
    if ('fault' in answer) pending.reject(new RunFault(answer.fault.name, answer.fault.message));
    else pending.resolve(answer.result);
  }

  private handleExit(child: ChildProcess): void {
    if (this.child === child) this.child = undefined;
    for (const pending of this.pending.values())
      if (pending.child === child) pending.reject(new RunFault('RequestError', CRASHED));
  }
}

const CRASHED = 'The process of the connectors has ended before the other server responded';
const interrupted = (): RunFault => new RunFault('RequestError', 'The run has ended');
