import { WorkFailed, WorkProcess, type WorkOptions } from './work-process.js';

export interface QueueOptions extends WorkOptions {
  /** How many processes work at once. */
  processes: number;
  /** How much work may wait for them. */
  waiting: number;
}

/** Work in processes of its own, the oldest first; beyond what may wait it is refused at once. */
export class WorkQueue<Task extends object, Result> {
  private readonly free: WorkProcess<Task, Result>[];
  private readonly all: readonly WorkProcess<Task, Result>[];
  private readonly waiting: ((free?: WorkProcess<Task, Result>) => void)[] = [];
  private stopped = false;

  constructor(private readonly options: QueueOptions) {
    this.all = Array.from({ length: options.processes }, () => new WorkProcess<Task, Result>(options));
    this.free = [...this.all];
  }

  /** The processes that run. */
  get pids(): number[] {
    return this.all.flatMap(({ pid }) => pid ?? []);
  }

  /** Throws `WorkFailed`, or what `signal` was aborted with. */
  async run(task: Task, signal?: AbortSignal): Promise<Result> {
    const process = await this.take();
    try {
      return await process.run(task, signal);
    } finally {
      const next = this.waiting.shift();
      if (next) next(process);
      else this.free.push(process);
    }
  }

  /** Ends all processes; what runs or waits fails. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const wake of this.waiting.splice(0)) wake();
    await Promise.all(this.all.map((process) => process.end()));
  }

  /** The process that was used last, where it is free: it is the one that is warm. */
  private async take(): Promise<WorkProcess<Task, Result>> {
    const free = this.stopped ? undefined : (this.free.pop() ?? (await this.turn()));
    if (!free || this.stopped) throw new WorkFailed('stopped', 'The platform is stopping');
    return free;
  }

  private turn(): Promise<WorkProcess<Task, Result> | undefined> {
    if (this.waiting.length >= this.options.waiting)
      throw new WorkFailed('busy', 'Too much work waits already');
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
