import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { OUT_OF_MEMORY_CODE, type IsolateMessage, type IsolateOptions } from './isolate-protocol.js';
import { timeLimit, type ScriptAnswer, type ScriptCall } from './script-engine.js';
import { HostFailure } from './script-host.js';
import { MEMORY_ERROR } from './script-source.js';

/** A process starts in a fraction of a second, but a busy machine may take long. */
const START_MS = 30_000;
/** Time beyond the limit of a script after which its process is killed. */
const GRACE_MS = 1_000;
/** Heap of the process itself, beside those of its isolates. */
const MAX_HEAP_MB = 128;
/** Signals of processes that V8 or the allocator has ended because memory was used up. */
const OUT_OF_MEMORY_SIGNALS: ReadonlySet<string | null> = new Set(['SIGABRT', 'SIGILL', 'SIGTRAP']);

interface Pending {
  resolve(message: IsolateMessage): void;
  reject(error: HostFailure): void;
}

/** Process that runs one script of one application at a time. It starts with the first call, and again after a failure. */
export class IsolateProcess {
  /** Application whose scripts the process has run. */
  private owner?: string;
  private child?: ChildProcess;
  private pending?: Pending;

  constructor(private readonly options: IsolateOptions) {}

  /** Whether the process has run scripts of this application alone. */
  isOf(application: string): boolean {
    return this.child !== undefined && this.owner === application;
  }

  /** Whether the process has run no script. */
  get isFresh(): boolean {
    return this.child === undefined;
  }

  /** Runs a script. Must not be called during another call. Throws a `HostFailure`. */
  async run(application: string, call: ScriptCall): Promise<ScriptAnswer> {
    if (this.child && this.owner !== application) await this.end();
    this.owner = application;
    if (!this.child) await this.start();
    const message = this.wait(timeLimit(this.options.timeMs, call) + GRACE_MS, () => {
      this.child!.send(call, () => undefined);
    });
    return (await message) as ScriptAnswer;
  }

  /** Kills the process; a running call fails. Resolves once it has exited. */
  async end(): Promise<void> {
    const { child } = this;
    const gone = child?.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    this.fail('crash', 'The process of a script was stopped');
    await gone;
  }

  private start(): Promise<IsolateMessage> {
    return this.wait(START_MS, () => {
      const child = fork(new URL(import.meta.resolve('./isolate-child.js')), [JSON.stringify(this.options)], {
        // No variables of the platform; the time zone of scripts.
        env: { TZ: 'UTC' },
        execArgv: [...process.execArgv, '--no-node-snapshot', `--max-old-space-size=${MAX_HEAP_MB}`],
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      this.child = child;
      child.on('message', (message) => this.settle(child)?.resolve(message as IsolateMessage));
      // A process that could not be started emits no exit event.
      child.on('error', ({ message }) => this.child === child && this.fail('crash', message));
      child.on('exit', (code, signal) => this.handleExit(child, code, signal));
    });
  }

  private handleExit(child: ChildProcess, code: number | null, signal: string | null): void {
    if (this.child !== child) return;
    const isOutOfMemory = code === OUT_OF_MEMORY_CODE || OUT_OF_MEMORY_SIGNALS.has(signal);
    if (isOutOfMemory) this.settle(child)?.resolve({ error: MEMORY_ERROR, messages: [] });
    this.fail('crash', `The process of a script ended with ${signal ?? `code ${code}`}`);
  }

  private async wait(timeoutMs: number, begin: () => void): Promise<IsolateMessage> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<IsolateMessage>((resolve, reject) => {
        const pending = { resolve, reject };
        const expire = (): void => {
          if (this.pending === pending) this.fail('timeout', `No answer within ${timeoutMs} ms`);
        };
        this.pending = pending;
        // If this thread was busy, the answer may have arrived and is read before `expire` runs.
        timer = setTimeout(() => setImmediate(expire), timeoutMs);
        begin();
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Gives up the process, in whatever state it is. */
  private fail(reason: HostFailure['reason'], message: string): void {
    const { child, pending } = this;
    this.child = undefined;
    this.pending = undefined;
    pending?.reject(new HostFailure(reason, message));
    child?.kill('SIGKILL');
  }

  private settle(child: ChildProcess): Pending | undefined {
    if (this.child !== child) return undefined;
    const { pending } = this;
    this.pending = undefined;
    return pending;
  }
}
