import { TooManyRequests, Unavailable } from '../../lib/errors/errors.js';

interface TurnsOptions {
  /** Maximum number of concurrent tasks. */
  atOnce: number;
  /** Maximum number of concurrent tasks per owner. */
  ofEach: number;
  /** Maximum number of waiting tasks per owner. */
  waiting: number;
  /** Milliseconds after which a waiting task is rejected. */
  patienceMs: number;
  /** Error messages for tasks that waited for tasks of their own owner, and for those that waited for other owners. */
  refusals: { own: string; others: string };
}

interface Owner {
  running: number;
  waiting: Waiter[];
}
interface Waiter {
  begin: () => void;
  timer: NodeJS.Timeout;
}

/**
 * Limits concurrent work, in total and per owner, so that owners with many tasks wait behind those with few. A task
 * that waits for its own owner's work is rejected with `429`, and one that waits for the work of others with `503`.
 */
export class Turns {
  private running = 0;
  /** Owners with running or waiting tasks, least recently served first. */
  private readonly owners = new Map<string, Owner>();

  constructor(private readonly options: TurnsOptions) {}

  /** Runs work when it is its turn. */
  async run<T>(owner: string, work: () => Promise<T>, patienceMs = this.options.patienceMs): Promise<T> {
    await this.turnOf(owner, patienceMs);
    try {
      return await work();
    } finally {
      this.end(owner);
    }
  }

  private turnOf(name: string, patienceMs: number): Promise<void> {
    let owner = this.owners.get(name);
    if (!owner) this.owners.set(name, (owner = { running: 0, waiting: [] }));
    const { atOnce, waiting } = this.options;
    if (owner.waiting.length === 0 && this.running < atOnce && this.mayRun(owner)) {
      this.begin(name, owner);
      return Promise.resolve();
    }
    if (owner.waiting.length >= waiting) throw this.refusal(owner);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        begin: () => {
          clearTimeout(waiter.timer);
          resolve();
        },
        timer: setTimeout(() => {
          owner.waiting.splice(owner.waiting.indexOf(waiter), 1);
          reject(this.refusal(owner));
          this.forget(name, owner);
        }, patienceMs),
      };
      owner.waiting.push(waiter);
    });
  }

  private begin(name: string, owner: Owner): void {
    this.running++;
    owner.running++;
    // Moves the owner to the end of the queue.
    this.owners.delete(name);
    this.owners.set(name, owner);
  }

  private end(name: string): void {
    const owner = this.owners.get(name)!;
    this.running--;
    owner.running--;
    this.forget(name, owner);
    const next = this.next();
    if (next === undefined) return;
    const chosen = this.owners.get(next)!;
    this.begin(next, chosen);
    chosen.waiting.shift()!.begin();
  }

  /** Returns the next owner: among those with the fewest running tasks, the one that has waited longest. */
  private next(): string | undefined {
    let chosen: string | undefined;
    let least = this.options.ofEach;
    for (const [name, { running, waiting }] of this.owners)
      if (waiting.length > 0 && running < least) [chosen, least] = [name, running];
    return chosen;
  }

  private forget(name: string, { running, waiting }: Owner): void {
    if (running === 0 && waiting.length === 0) this.owners.delete(name);
  }

  private mayRun({ running }: Owner): boolean {
    return running < this.options.ofEach;
  }

  private refusal(owner: Owner): Error {
    const { patienceMs, refusals } = this.options;
    const seconds = Math.ceil(patienceMs / 1000);
    return this.mayRun(owner)
      ? new Unavailable(refusals.others, seconds)
      : new TooManyRequests(seconds, refusals.own);
  }
}
