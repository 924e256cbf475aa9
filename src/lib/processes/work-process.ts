import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Why work was not done: too long, too large, its process ended, too much waits, or the platform stops. */
export type WorkFault = 'time' | 'memory' | 'died' | 'busy' | 'stopped';

/** Work that was not done, which says nothing of whether it could be. */
export class WorkFailed extends Error {
  override name = 'WorkFailed';

  constructor(
    readonly fault: WorkFault,
    message: string,
  ) {
    super(message);
  }
}

export interface WorkOptions {
  /** The URL of the module that a thread runs: it answers each message of `parentPort` with one. */
  thread: string;
  /** How long one piece of work may take, the start of its process included. */
  timeoutMs: number;
  /** How much memory the process may have, in MiB: heap, WebAssembly and all. */
  memoryMb: number;
  /** How long a process that has nothing to do is kept. */
  idleMs: number;
}

/** What a process is told at its start. */
export type ChildOptions = Pick<WorkOptions, 'thread' | 'memoryMb'>;

/** What a process says: what came of the work and how large it is now, or why nothing did. */
export type WorkAnswer =
  { result: unknown; memoryMb: number } | { failed: 'memory' } | { failed: 'died'; message: string };

/** A process that has grown to this part of what it may have is not kept: what WebAssembly has taken it never gives back. */
const KEPT_BELOW = 0.6;

/**
 * Does work outside of this process, one piece at a time, in a process that stays for the next piece and has no environment.
 * Work that takes too long or too much memory ends with its process, as one that hangs ends in no other way.
 */
export class WorkProcess<Task extends object, Result> {
  private child?: ChildProcess;
  private idle?: NodeJS.Timeout;
  private fail?: (error: WorkFailed) => void;

  constructor(private readonly options: WorkOptions) {}

  /** Its process, where one runs. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Not to be called while it works. Throws `WorkFailed`, or what `signal` was aborted with. */
  async run(task: Task, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    clearTimeout(this.idle);
    const child = (this.child ??= this.start());
    const { timeoutMs, memoryMb, idleMs } = this.options;
    let timer: NodeJS.Timeout | undefined;
    let abort: (() => void) | undefined;
    try {
      const answer = await new Promise<WorkAnswer>((resolve, reject) => {
        this.fail = reject;
        abort = () => reject(signal!.reason as Error);
        signal?.addEventListener('abort', abort, { once: true });
        timer = setTimeout(() => reject(tooLong(timeoutMs)), timeoutMs);
        child.once('message', (message) => resolve(message as WorkAnswer));
        child.send(task, (error) => error && reject(new WorkFailed('died', error.message)));
      });
      if ('failed' in answer) throw faultOf(answer, memoryMb);
      if (answer.memoryMb > memoryMb * KEPT_BELOW) await this.end();
      else this.idle = setTimeout(() => void this.end(), idleMs);
      return answer.result as Result;
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      clearTimeout(timer);
      if (abort) signal?.removeEventListener('abort', abort);
      this.fail = undefined;
    }
  }

  /** Ends the process, and what it does; resolves once it is gone. */
  async end(): Promise<void> {
    clearTimeout(this.idle);
    const { child } = this;
    this.child = undefined;
    this.fail?.(new WorkFailed('stopped', 'The platform is stopping'));
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  private start(): ChildProcess {
    const { thread, memoryMb } = this.options;
    const given: ChildOptions = { thread, memoryMb };
    const child = fork(new URL(import.meta.resolve('./work-child.js')), [JSON.stringify(given)], {
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    // A process that could not be started never exits; one that ends is replaced by the next piece of work.
    child.on('error', ({ message }) => this.lost(child, message));
    child.on('exit', (code, signal) => this.lost(child, `it ended with ${signal ?? `status ${code}`}`));
    return child;
  }

  private lost(child: ChildProcess, message: string): void {
    if (this.child !== child) return;
    clearTimeout(this.idle);
    this.child = undefined;
    this.fail?.(died(message));
  }
}

const tooLong = (ms: number) => new WorkFailed('time', `It took longer than ${ms / 1000} seconds`);
const died = (message: string) => new WorkFailed('died', `Its process failed: ${message}`);

function faultOf(answer: Exclude<WorkAnswer, { result: unknown }>, memoryMb: number): WorkFailed {
  return answer.failed === 'memory'
    ? new WorkFailed('memory', `It took more than ${memoryMb} MiB of memory`)
    : died(answer.message);
}
