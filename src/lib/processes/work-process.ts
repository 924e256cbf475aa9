import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Why work failed: timeout, memory limit, death of its process, or shutdown of the platform. */
export type WorkFault = 'time' | 'memory' | 'died' | 'stopped';

/** Work was not done, regardless of whether it is valid. */
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
  /** URL of the module that the thread runs. It answers each message of `parentPort` with one message. */
  thread: string;
  /** Timeout of a task in milliseconds, including the start of its process. */
  timeoutMs: number;
  /** Maximum memory of the process in MiB, including heap and WebAssembly. */
  memoryMb: number;
  /** Time in milliseconds that an idle process is kept. */
  idleMs: number;
}

/** Options passed to a process at its start. */
export type ChildOptions = Pick<WorkOptions, 'thread' | 'memoryMb'>;

/** Message from a process: the result of the work and the memory size, or the reason for failure. */
export type WorkAnswer =
  { result: unknown; memoryMb: number } | { failed: 'memory' } | { failed: 'died'; message: string };

/** Fraction of the memory limit above which a process is not reused, because WebAssembly never releases memory. */
const MAX_REUSE_RATIO = 0.6;

/**
 * Runs tasks one at a time in a separate process, which is reused and has no environment variables. A task that exceeds
 * its time or memory is ended by killing its process, the only way to end a task that hangs.
 */
export class WorkProcess<Task extends object, Result> {
  private child?: ChildProcess;
  private idle?: NodeJS.Timeout;
  private fail?: (error: WorkFailed) => void;

  constructor(private readonly options: WorkOptions) {}

  /** ID of the process, if it is running. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /**
   * Runs a task. Must not be called while another task is running. Throws `WorkFailed`, or the abort reason of
   * `signal`.
   */
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
        timer = setTimeout(() => reject(timeoutError(timeoutMs)), timeoutMs);
        child.once('message', (message) => resolve(message as WorkAnswer));
        child.send(task, (error) => error && reject(new WorkFailed('died', error.message)));
      });
      if ('failed' in answer) throw errorOf(answer, memoryMb);
      if (answer.memoryMb > memoryMb * MAX_REUSE_RATIO) await this.end();
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

  /** Ends the process and its task; resolves once the process has exited. */
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
    // A process that could not be started emits no exit event. A process that ends is replaced for the next task.
    child.on('error', ({ message }) => this.handleExit(child, message));
    child.on('exit', (code, signal) => this.handleExit(child, `it ended with ${signal ?? `status ${code}`}`));
    return child;
  }

  private handleExit(child: ChildProcess, message: string): void {
    if (this.child !== child) return;
    clearTimeout(this.idle);
    this.child = undefined;
    this.fail?.(crashError(message));
  }
}

const timeoutError = (ms: number) => new WorkFailed('time', `It took longer than ${ms / 1000} seconds`);
const crashError = (message: string) => new WorkFailed('died', `Its process failed: ${message}`);

function errorOf(answer: Exclude<WorkAnswer, { result: unknown }>, memoryMb: number): WorkFailed {
  return answer.failed === 'memory'
    ? new WorkFailed('memory', `It took more than ${memoryMb} MiB of memory`)
    : crashError(answer.message);
}
