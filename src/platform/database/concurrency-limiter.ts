import { TooManyRequests, Unavailable } from '../../lib/errors/errors.js';

interface ConcurrencyLimiterOptions {
  /** Maximum number of concurrent tasks. */
  concurrency: number;
  /** Maximum number of concurrent tasks per owner. */
  concurrencyPerOwner: number;
  /** Maximum number of waiting tasks per owner. */
  maxQueuedPerOwner: number;
  /** Milliseconds after which a waiting task is rejected. */
  timeoutMs: number;
  /** Error messages for tasks that waited for tasks of their own owner, and for those that waited for other owners. */
  messages: { own: string; others: string };
}

interface Owner {
  running: number;
  waiting: Waiter[];
}
interface Waiter {
  start: () => void;
  timer: NodeJS.Timeout;
}

/**
 * Limits concurrent work, in total and per owner, so that owners with many tasks wait behind those with few. A task
 * that waits for its own owner's work is rejected with `429`, and one that waits for the work of others with `503`.
 */
export class ConcurrencyLimiter {
  private running = 0;
  /** Owners with running or waiting tasks, least recently served first. */
  private readonly owners = new Map<string, Owner>();

  constructor(private readonly options: ConcurrencyLimiterOptions) {}

  /** Runs work when it is its turn. */
  async run<T>(owner: string, work: () => Promise<T>, patienceMs = this.options.timeoutMs): Promise<T> {
    await this.acquire(owner, patienceMs);
    try {
      return await work();
    } finally {
      this.release(owner);
    }
  }

  private acquire(name: string, patienceMs: number): Promise<void> {
    let owner = this.owners.get(name);
    if (!owner) this.owners.set(name, (owner = { running: 0, waiting: [] }));
    const { concurrency, maxQueuedPerOwner } = this.options;
    if (owner.waiting.length === 0 && this.running < concurrency && this.hasFreeSlot(owner)) {
      this.start(name, owner);
      return Promise.resolve();
    }
    if (owner.waiting.length >= maxQueuedPerOwner) throw this.rejection(owner);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        start: () => {
          clearTimeout(waiter.timer);
          resolve();
        },
        timer: setTimeout(() => {
          owner.waiting.splice(owner.waiting.indexOf(waiter), 1);
          reject(this.rejection(owner));
          this.removeIfIdle(name, owner);
        }, patienceMs),
      };
      owner.waiting.push(waiter);
    });
  }

  private start(name: string, owner: Owner): void {
    this.running++;
    owner.running++;
    // Moves the owner to the end of the queue.
    this.owners.delete(name);
    this.owners.set(name, owner);
  }

  private release(name: string): void {
    const owner = this.owners.get(name)!;
    this.running--;
    owner.running--;
    this.removeIfIdle(name, owner);
    const next = this.next();
    if (next === undefined) return;
    const chosen = this.owners.get(next)!;
    this.start(next, chosen);
    chosen.waiting.shift()!.start();
  }

  /** Returns the next owner: among those with the fewest running tasks, the one that has waited longest. */
  private next(): string | undefined {
    let chosen: string | undefined;
    let min = this.options.concurrencyPerOwner;
    for (const [name, { running, waiting }] of this.owners)
      if (waiting.length > 0 && running < min) [chosen, min] = [name, running];
    return chosen;
  }

  private removeIfIdle(name: string, { running, waiting }: Owner): void {
    if (running === 0 && waiting.length === 0) this.owners.delete(name);
  }

  private hasFreeSlot({ running }: Owner): boolean {
    return running < this.options.concurrencyPerOwner;
  }

  private rejection(owner: Owner): Error {
    const { timeoutMs, messages } = this.options;
    const seconds = Math.ceil(timeoutMs / 1000);
    return this.hasFreeSlot(owner)
      ? new Unavailable(messages.others, seconds)
      : new TooManyRequests(seconds, messages.own);
  }
}
