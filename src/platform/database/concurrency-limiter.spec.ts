import { setImmediate } from 'node:timers/promises';
import { ConcurrencyLimiter } from './concurrency-limiter.js';

const OPTIONS = {
  concurrency: 3,
  concurrencyPerOwner: 2,
  maxQueuedPerOwner: 2,
  timeoutMs: 60_000,
  messages: { own: 'yours', others: 'theirs' },
};

/** Work that ends on command, with a record of the work that has started. */
class Workshop {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, () => void>();
  private readonly turns: ConcurrencyLimiter;

  constructor(options = OPTIONS) {
    this.turns = new ConcurrencyLimiter(options);
  }

  /** Requests turns in sequence; the first letter of a name is the owner. */
  async start(...names: string[]): Promise<void> {
    for (const name of names) void this.ask(name).catch(() => undefined);
    await setImmediate();
  }

  ask(name: string): Promise<void> {
    return this.turns.run(name[0]!, () => this.work(name));
  }

  async end(...names: string[]): Promise<void> {
    for (const name of names) {
      this.ends.get(name)!();
      await setImmediate();
    }
  }

  /** Finishes all work, including waiting work. */
  async close(): Promise<void> {
    for (const name of this.begun) await this.end(name);
  }

  private work(name: string): Promise<void> {
    this.begun.push(name);
    return new Promise((end) => this.ends.set(name, end));
  }
}

describe('Turns', () => {
  it('start immediately unless the owner has reached its limit', async () => {
    const shop = new Workshop();
    await shop.start('a1', 'a2', 'a3', 'b1');
    expect(shop.begun).toEqual(['a1', 'a2', 'b1']);
    await shop.end('b1');
    expect(shop.begun).toEqual(['a1', 'a2', 'b1']);
    await shop.end('a2');
    expect(shop.begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    await shop.close();
  });

  it('go to the owners with the least running work, in rotation', async () => {
    const shop = new Workshop();
    await shop.start('a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'd1', 'b2');
    expect(shop.begun).toEqual(['a1', 'a2', 'b1']);
    await shop.end('a1', 'b1', 'c1', 'd1');
    expect(shop.begun.slice(3)).toEqual(['c1', 'b2', 'd1', 'a3']);
    await shop.close();
    expect(shop.begun.at(-1)).toBe('a4');
  });

  it('are rejected if an owner requests too many, without affecting others', async () => {
    const shop = new Workshop();
    await shop.start('a1', 'a2', 'a3', 'a4');
    await expect(shop.ask('a5')).rejects.toMatchObject({
      status: 429,
      message: 'yours',
      headers: { 'Retry-After': '60' },
    });
    await shop.start('b1');
    expect(shop.begun).toContain('b1');
    await shop.close();
  });

  it('are rejected and discarded if they time out', async () => {
    const shop = new Workshop({ ...OPTIONS, timeoutMs: 10 });
    await shop.start('a1', 'a2', 'b1');
    await Promise.all([
      expect(shop.ask('a3')).rejects.toMatchObject({ status: 429 }),
      expect(shop.ask('c1')).rejects.toMatchObject({ status: 503, message: 'theirs' }),
    ]);
    await shop.close();
    expect(shop.begun).toEqual(['a1', 'a2', 'b1']);
    await shop.start('c2', 'a6');
    expect(shop.begun).toEqual(['a1', 'a2', 'b1', 'c2', 'a6']);
    await shop.close();
  });

  it('end when the work fails, too', async () => {
    const turns = new ConcurrencyLimiter({ ...OPTIONS, concurrency: 1 });
    const failing = () => turns.run('a', () => Promise.reject(new Error('broken')));
    await expect(failing()).rejects.toThrow('broken');
    await expect(failing()).rejects.toThrow('broken');
  });
});
