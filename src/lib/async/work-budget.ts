import { TooManyRequests, Unavailable } from '../errors/errors.js';

export interface BudgetOptions {
  /** Maximum number of tasks that run at a time. */
  concurrency: number;
  /** Maximum number of tasks of one owner that run at a time. Default: `concurrency`. */
  concurrencyPerOwner?: number;
  /** Maximum number of waiting tasks of one owner. */
  waitingPerOwner: number;
  /** Maximum number of waiting tasks of all owners. Default: unlimited. */
  waiting?: number;
  /** Milliseconds after which a waiting task is rejected. Default: never. */
  patienceMs?: number;
  /** `Retry-After` of rejections, in seconds. Default: 1. */
  retryAfterSeconds?: number;
  /** Error messages for tasks that wait for tasks of their own owner, and for those that wait for other owners. */
  messages?: { own: string; others: string };
}

const MESSAGES = { own: 'Too many requests of this kind are waiting', others: 'The server is busy' };

interface Owner {
  running: number;
  waiting: Waiter[];
}
interface Waiter {
  start: () => void;
  timer?: NodeJS.Timeout;
}

/**
 * Bounds one kind of expensive work, such as password hashes or searches, in total and per owner. A free slot goes to
 * the owner with the fewest running tasks, and among those to the one that was served least recently. An owner with many
 * tasks therefore delays the next owner by no more than the tasks that are running.
 *
 * A task that waits for its own owner's work is rejected with `429`, and one that waits for the work of others with
 * `503`.
 */
export class WorkBudget {
  private running = 0;
  private waiting = 0;
  /** Owners with running or waiting tasks, least recently served first. */
  private readonly owners = new Map<string, Owner>();

  constructor(private readonly options: BudgetOptions) {}

  /**
   * Runs a task when it is the owner's turn. Throws `TooManyRequests` immediately if too many tasks of the owner are
   * waiting, and `Unavailable` if too many are waiting in total.
   */
  async run<T>(owner: string, task: () => Promise<T>, patienceMs = this.options.patienceMs): Promise<T> {
    const release = this.tryAcquire(owner) ?? (await this.wait(owner, patienceMs));
    try {
      return await task();
    } finally {
      release();
    }
  }

  /**
   * Takes a slot if the owner can have one without waiting. Returns the function that frees it, which has no effect when
   * called again; or `undefined` if no slot is free.
   */
  tryAcquire(name: string): (() => void) | undefined {
    const owner = this.owners.get(name) ?? { running: 0, waiting: [] };
    if (owner.waiting.length > 0 || this.running >= this.options.concurrency || !this.hasFreeSlot(owner))
      return undefined;
    return this.start(name, owner);
  }

  private wait(name: string, patienceMs: number | undefined): Promise<() => void> {
    const { waiting = Infinity, waitingPerOwner } = this.options;
    const owner = this.owners.get(name) ?? { running: 0, waiting: [] };
    if (owner.waiting.length >= waitingPerOwner) throw this.rejection('own');
    if (this.waiting >= waiting) throw this.rejection('others');
    this.owners.set(name, owner);
    this.waiting++;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        start: () => {
          clearTimeout(waiter.timer);
          resolve(this.start(name, owner));
        },
      };
      if (patienceMs !== undefined)
        waiter.timer = setTimeout(() => {
          owner.waiting.splice(owner.waiting.indexOf(waiter), 1);
          this.waiting--;
          reject(this.rejection(this.hasFreeSlot(owner) ? 'others' : 'own'));
          this.removeIfIdle(name, owner);
        }, patienceMs);
      owner.waiting.push(waiter);
    });
  }

  private start(name: string, owner: Owner): () => void {
    this.running++;
    owner.running++;
    // Moves the owner behind the others.
    this.owners.delete(name);
    this.owners.set(name, owner);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.release(name, owner);
    };
  }

  /** Hands the slot over at once, so that no new task can take it in between. */
  private release(name: string, owner: Owner): void {
    this.running--;
    owner.running--;
    this.removeIfIdle(name, owner);
    const next = this.next();
    if (!next) return;
    this.waiting--;
    next.waiting.shift()!.start();
  }

  private next(): Owner | undefined {
    let chosen: Owner | undefined;
    let min = this.options.concurrencyPerOwner ?? Infinity;
    for (const owner of this.owners.values())
      if (owner.waiting.length > 0 && owner.running < min) [chosen, min] = [owner, owner.running];
    return chosen;
  }

  private removeIfIdle(name: string, { running, waiting }: Owner): void {
    if (running === 0 && waiting.length === 0) this.owners.delete(name);
  }

  private hasFreeSlot({ running }: Owner): boolean {
    return running < (this.options.concurrencyPerOwner ?? this.options.concurrency);
  }

  private rejection(waitsFor: 'own' | 'others'): Error {
    const { retryAfterSeconds = 1, messages = MESSAGES } = this.options;
    return waitsFor === 'own'
      ? new TooManyRequests(retryAfterSeconds, messages.own)
      : new Unavailable(messages.others, retryAfterSeconds);
  }
}
