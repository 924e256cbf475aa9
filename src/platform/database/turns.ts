import { TooManyRequests, Unavailable } from '../../lib/errors/errors.js';

interface TurnsOptions {
  /** How much runs at once. */
  atOnce: number;
  /** How much of it is one owner's. */
  ofEach: number;
  /** How many more of one owner may wait. */
  waiting: number;
  /** Milliseconds until whoever waits is refused. */
  patienceMs: number;
  /** What they are told who wait for their own work, and who wait for that of others. */
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
 * Lets work begin, a little at a time, and little of it for one owner: who asks for much waits behind those who ask for
 * little. Whoever waits for their own work is refused with 429, whoever waits for that of others with 503.
 */
export class Turns {
  private running = 0;
  /** Those with something that runs or waits; whose turn was longest ago comes first. */
  private readonly owners = new Map<string, Owner>();

  constructor(private readonly options: TurnsOptions) {}

  /** Runs work when its turn has come. */
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
    // Last in line for the next turn.
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

  /** Whose turn is next: of those with the least that runs, who waits longest for a turn. */
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
