import { setImmediate } from 'node:timers/promises';
import { WorkBudget, type BudgetOptions } from './work-budget.js';

const OPTIONS: BudgetOptions = { concurrency: 3, concurrencyPerOwner: 2, waitingPerOwner: 2 };
const TIMED = { ...OPTIONS, retryAfterSeconds: 60, messages: { own: 'yours', others: 'theirs' } };

/** Tasks that end on command, with a record of those that have started. The first letter of a name is the owner. */
class Tasks {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, () => void>();
  readonly budget: WorkBudget;

  constructor(options = OPTIONS) {
    this.budget = new WorkBudget(options);
  }

  /** Requests turns in sequence. */
  async start(...names: string[]): Promise<void> {
    for (const name of names) void this.run(name).catch(() => undefined);
    await setImmediate();
  }

  run(name: string, patienceMs?: number): Promise<string> {
    return this.budget.run(name[0]!, () => this.task(name), patienceMs);
  }

  async end(...names: string[]): Promise<void> {
    for (const name of names) {
      this.ends.get(name)!();
      await setImmediate();
    }
  }

  /** Finishes all tasks, including those that wait. */
  async close(): Promise<void> {
    for (const name of this.begun) await this.end(name);
  }

  private task(name: string): Promise<string> {
    this.begun.push(name);
    return new Promise((resolve) => this.ends.set(name, () => resolve(name)));
  }
}

describe('The turns of a work budget', () => {
  it('start immediately up to the maximum, and the rest in order', async () => {
    const tasks = new Tasks({ concurrency: 2, waitingPerOwner: 2 });
    const results = ['a1', 'a2', 'a3', 'a4'].map((name) => tasks.run(name));
    expect(tasks.begun).toEqual(['a1', 'a2']);
    await tasks.end('a2');
    expect(tasks.begun).toEqual(['a1', 'a2', 'a3']);
    await tasks.end('a1', 'a3', 'a4');
    await expect(Promise.all(results)).resolves.toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('start immediately unless the owner has reached its own maximum', async () => {
    const tasks = new Tasks();
    await tasks.start('a1', 'a2', 'a3', 'b1');
    expect(tasks.begun).toEqual(['a1', 'a2', 'b1']);
    await tasks.end('b1');
    expect(tasks.begun).toEqual(['a1', 'a2', 'b1']);
    await tasks.end('a2');
    expect(tasks.begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    await tasks.close();
  });

  it('go to the owners with the fewest running tasks, in rotation', async () => {
    const tasks = new Tasks();
    await tasks.start('a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'd1', 'b2');
    expect(tasks.begun).toEqual(['a1', 'a2', 'b1']);
    await tasks.end('a1', 'b1', 'c1', 'd1');
    expect(tasks.begun.slice(3)).toEqual(['c1', 'b2', 'd1', 'a3']);
    await tasks.close();
    expect(tasks.begun.at(-1)).toBe('a4');
  });

  it('rotate between owners with one slot', async () => {
    const tasks = new Tasks({ concurrency: 1, waitingPerOwner: 3 });
    await tasks.start('a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2');
    await tasks.close();
    expect(tasks.begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('are rejected with 429 if too many tasks of the owner are waiting, without affecting others', async () => {
    const tasks = new Tasks(TIMED);
    await tasks.start('a1', 'a2', 'a3', 'a4');
    const rejection = { status: 429, message: 'yours', headers: { 'Retry-After': '60' } };
    await expect(tasks.run('a5')).rejects.toMatchObject(rejection);
    await tasks.start('b1');
    expect(tasks.begun).toContain('b1');
    await tasks.close();
  });

  it('are rejected with 503 if too many tasks are waiting in total, and accepted again afterwards', async () => {
    const tasks = new Tasks({ concurrency: 1, waiting: 1, waitingPerOwner: 2 });
    await tasks.start('a1', 'b1');
    const rejection = { status: 503, message: 'The server is busy', headers: { 'Retry-After': '1' } };
    await expect(tasks.run('c1')).rejects.toMatchObject(rejection);
    await tasks.end('a1', 'b1');
    await tasks.start('c2');
    expect(tasks.begun).toEqual(['a1', 'b1', 'c2']);
    await tasks.close();
  });

  it('are rejected and discarded if they time out', async () => {
    const tasks = new Tasks({ ...TIMED, waiting: 2 });
    await tasks.start('a1', 'a2', 'b1');
    await Promise.all([
      expect(tasks.run('a3', 10)).rejects.toMatchObject({ status: 429, message: 'yours' }),
      expect(tasks.run('c1', 10)).rejects.toMatchObject({ status: 503, message: 'theirs' }),
    ]);
    await tasks.start('a4', 'c2');
    await tasks.close();
    expect(tasks.begun).toEqual(['a1', 'a2', 'b1', 'c2', 'a4']);
  });

  it('end when the task fails', async () => {
    const { budget } = new Tasks({ concurrency: 1, waitingPerOwner: 1 });
    const failing = () => budget.run('a', () => Promise.reject(new Error('broken')));
    const failures = [failing(), failing()];
    for (const failure of failures) await expect(failure).rejects.toThrow('broken');
    await expect(budget.run('a', () => Promise.resolve('done'))).resolves.toBe('done');
  });
});

describe('A slot that is taken without waiting', () => {
  it('is free until the maximum of the owner or the total, and after its release', async () => {
    const tasks = new Tasks();
    const { budget } = tasks;
    const [first] = [budget.tryAcquire('a'), budget.tryAcquire('a')];
    expect(budget.tryAcquire('a')).toBeUndefined();
    const other = budget.tryAcquire('b');
    expect(other).toBeDefined();
    expect(budget.tryAcquire('c')).toBeUndefined();
    await tasks.start('a1');
    first!();
    first!();
    await setImmediate();
    expect(tasks.begun).toEqual(['a1']);
    expect(budget.tryAcquire('c')).toBeUndefined();
    other!();
    expect(budget.tryAcquire('c')).toBeDefined();
    await tasks.close();
  });
});
