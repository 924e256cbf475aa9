import { WorkBudget, type BudgetOptions } from '../async/work-budget.js';
import { WorkFailed, WorkProcess, type WorkOptions } from './work-process.js';

export interface QueueOptions extends WorkOptions, Pick<BudgetOptions, 'waiting' | 'waitingPerOwner'> {
  /** Maximum number of concurrent processes. */
  processes: number;
}

/** Whose turn a task takes, and its cancellation. */
export interface WorkOrder {
  /** ID of the user or organization on whose behalf the task runs. */
  ownerId: string;
  signal?: AbortSignal;
}

/** Runs tasks in separate processes. Owners take turns, as in a `WorkBudget`. */
export class WorkQueue<Task extends object, Result> {
  private readonly free: WorkProcess<Task, Result>[];
  private readonly all: readonly WorkProcess<Task, Result>[];
  private readonly budget: WorkBudget;
  private stopped = false;

  constructor({ processes, ...options }: QueueOptions) {
    this.all = Array.from({ length: processes }, () => new WorkProcess<Task, Result>(options));
    this.free = [...this.all];
    this.budget = new WorkBudget({ ...options, concurrency: processes });
  }

  /** IDs of the running processes. */
  get pids(): number[] {
    return this.all.flatMap(({ pid }) => pid ?? []);
  }

  /**
   * Runs a task. Throws `WorkFailed`, or the abort reason of `signal`; and `TooManyRequests` or `Unavailable` if too many
   * tasks are waiting.
   */
  run(task: Task, { ownerId, signal }: WorkOrder): Promise<Result> {
    return this.budget.run(ownerId, async () => {
      if (this.stopped) throw new WorkFailed('stopped', 'The platform is stopping');
      // The most recently used process is warm. Each slot of the budget has a process.
      const process = this.free.pop()!;
      try {
        return await process.run(task, signal);
      } finally {
        this.free.push(process);
      }
    });
  }

  /** Ends all processes; running and waiting tasks fail. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.all.map((process) => process.end()));
  }
}
