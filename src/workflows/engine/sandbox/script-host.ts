import { Worker } from 'node:worker_threads';
import type { HostData, HostMessage, HostStarted } from './script-host.thread.js';
import { timeLimit, type ScriptAnswer, type ScriptCall } from './script-engine.js';
import type { InstanceTemplate } from './script-instance.js';

/** A host starts in a fraction of a second, but a busy machine may take long. */
const START_MS = 30_000;
/** Time beyond the limit of a script after which its host is ended. A few operations on memory cannot be interrupted. */
const GRACE_MS = 1_000;
const MAX_HEAP_MB = 128;
/** Threads load modules as this process does. They refuse its other options, such as those of V8. */
const LOADERS = process.execArgv.flatMap((option, i, all) =>
  option === '--import' ? [option, all[i + 1]!] : [],
);

/** The thread of a host ended, or did not answer in time. */
export class HostFailure extends Error {
  override name = 'HostFailure';

  constructor(
    readonly reason: 'crash' | 'timeout',
    message: string,
  ) {
    super(message);
  }
}

interface Pending {
  resolve(message: HostMessage): void;
  reject(error: HostFailure): void;
}

export interface ScriptHostOptions {
  /** Time limit of a call with a small payload, in milliseconds. */
  readonly timeMs: number;
  /** Makes what the thread needs, when it starts. */
  data(): HostData;
  /** Called when the thread has made the template that its instances are copies of. */
  templateMade(template: InstanceTemplate): void;
}

/** Thread that runs one script at a time. It starts with the first call, and again after a failure. */
export class ScriptHost {
  private worker?: Worker;
  private pending?: Pending;

  constructor(private readonly options: ScriptHostOptions) {}

  /** Runs a script. Must not be called during another call. Throws a `HostFailure`. */
  async run(call: ScriptCall): Promise<ScriptAnswer> {
    if (!this.worker) await this.start();
    return (await this.wait(timeLimit(this.options.timeMs, call) + GRACE_MS, () =>
      this.worker!.postMessage(call),
    )) as ScriptAnswer;
  }

  /** Ends the thread; a running call fails. */
  async end(): Promise<void> {
    const { worker } = this;
    this.fail('crash', 'The script host was stopped');
    await worker?.terminate();
  }

  private async start(): Promise<void> {
    const { template } = (await this.wait(START_MS, () => {
      const worker = new Worker(new URL(import.meta.resolve('./script-host.thread.js')), {
        env: {},
        execArgv: LOADERS,
        workerData: this.options.data(),
        resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
      });
      this.worker = worker;
      worker.on('message', (message: HostMessage) => this.settle(worker)?.resolve(message));
      worker.on('error', ({ message }) => this.failIf(worker, message));
      worker.on('exit', () => this.failIf(worker, 'The script host ended'));
    })) as HostStarted;
    if (template) this.options.templateMade(template);
  }

  private async wait(timeoutMs: number, begin: () => void): Promise<HostMessage> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<HostMessage>((resolve, reject) => {
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

  private failIf(worker: Worker, message: string): void {
    if (this.worker === worker) this.fail('crash', message);
  }

  /** Gives up the thread, in whatever state it is. */
  private fail(reason: HostFailure['reason'], message: string): void {
    const { worker, pending } = this;
    this.worker = undefined;
    this.pending = undefined;
    pending?.reject(new HostFailure(reason, message));
    void worker?.terminate();
  }

  private settle(worker: Worker): Pending | undefined {
    if (this.worker !== worker) return undefined;
    const { pending } = this;
    this.pending = undefined;
    return pending;
  }
}
