import { TooManyRequests, Unavailable } from '../errors/errors.js';

export interface BudgetOptions {
  /** Maximum number of tasks that run at a time. */
  concurrency: number;
  /** Maximum number of waiting tasks of one owner. */
  waitingPerOwner: number;
  /** Maximum number of waiting tasks of all owners. */
  waiting: number;
}

const RETRY_AFTER_SECONDS = 1;

/**
 * Bounds one kind of expensive work, such as password hashes. Waiting owners take turns, one task each, so an owner with
 * many tasks delays the next owner by no more than the tasks that are running.
 */
export class WorkBudget {
  private running = 0;
  /** Waiting tasks by owner. Owners are in the order of their turns. */
  private readonly queues = new Map<string, (() => void)[]>();
  private queued = 0;

  constructor(private readonly options: BudgetOptions) {}

  /**
   * Runs a task as soon as it is the owner's turn. Throws `TooManyRequests` immediately if too many tasks of the owner
   * are waiting, and `Unavailable` if too many are waiting in total.
   */
  async run<T>(owner: string, task: () => Promise<T>): Promise<T> {
    if (this.running < this.options.concurrency) this.running += 1;
    else await this.turnOf(owner);
    try {
      return await task();
    } finally {
      // A task that ends hands over its slot, so that no other can take it in between.
      const next = this.next();
      if (next) next();
      else this.running -= 1;
    }
  }

  private turnOf(owner: string): Promise<void> {
    const { waiting, waitingPerOwner } = this.options;
    const queue = this.queues.get(owner) ?? [];
    if (queue.length >= waitingPerOwner)
      throw new TooManyRequests(RETRY_AFTER_SECONDS, 'Too many requests of this kind are waiting');
    if (this.queued >= waiting) throw new Unavailable('The server is busy', RETRY_AFTER_SECONDS);
    this.queued += 1;
    this.queues.set(owner, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  /** Takes the next task, and moves its owner behind the others. */
  private next(): (() => void) | undefined {
    for (const [owner, queue] of this.queues) {
      this.queues.delete(owner);
      if (queue.length > 1) this.queues.set(owner, queue);
      this.queued -= 1;
      return queue.shift();
    }
    return undefined;
  }
}
