import { WorkFailed, WorkProcess, type WorkOptions } from './work-process.js';

export interface QueueOptions extends WorkOptions {
  /** Maximum number of concurrent processes. */
  processes: number;
  /** Maximum number of waiting tasks. */
  waiting: number;
}

/** Runs tasks in separate processes, oldest first. Rejects tasks immediately if the queue is full. */
export class WorkQueue<Task extends object, Result> {
  private readonly free: WorkProcess<Task, Result>[];
  private readonly all: readonly WorkProcess<Task, Result>[];
  private readonly waiting: ((free?: WorkProcess<Task, Result>) => void)[] = [];
  private stopped = false;

  constructor(private readonly options: QueueOptions) {
    this.all = Array.from({ length: options.processes }, () => new WorkProcess<Task, Result>(options));
    this.free = [...this.all];
  }

  /** IDs of the running processes. */
  get pids(): number[] {
    return this.all.flatMap(({ pid }) => pid ?? []);
  }

  /** Runs a task. Throws `WorkFailed`, or the abort reason of `signal`. */
  async run(task: Task, signal?: AbortSignal): Promise<Result> {
    const process = await this.acquire();
    try {
      return await process.run(task, signal);
    } finally {
      const next = this.waiting.shift();
      if (next) next(process);
      else this.free.push(process);
    }
  }

  /** Ends all processes; running and waiting tasks fail. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const wake of this.waiting.splice(0)) wake();
    await Promise.all(this.all.map((process) => process.end()));
  }

  /** Prefers the most recently used process, because it is warm. */
  private async acquire(): Promise<WorkProcess<Task, Result>> {
    const free = this.stopped ? undefined : (this.free.pop() ?? (await this.waitForProcess()));
    if (!free || this.stopped) throw new WorkFailed('stopped', 'The platform is stopping');
    return free;
  }

  private waitForProcess(): Promise<WorkProcess<Task, Result> | undefined> {
    if (this.waiting.length >= this.options.waiting)
      throw new WorkFailed('busy', 'Too many tasks are waiting already');
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
