import { AccountLocked } from '../../lib/errors/errors.js';
import { AttemptBackoff } from './attempt-backoff.js';
import type { RateLimit } from './rate-limit.js';

/** Windows with a clock that the tests control. */
class Counted implements Pick<RateLimit, 'add' | 'reset'> {
  private readonly windows = new Map<string, { count: number; endsAt: number }>();

  constructor(private readonly clock: { now: number }) {}

  add(key: string, points: number, seconds = 86_400) {
    let window = this.windows.get(key);
    if (!window || window.endsAt <= this.clock.now)
      this.windows.set(key, (window = { count: 0, endsAt: this.clock.now + seconds * 1000 }));
    window.count += points;
    return Promise.resolve({ count: window.count, msLeft: window.endsAt - this.clock.now });
  }

  reset(key: string) {
    this.windows.delete(key);
    return Promise.resolve();
  }
}

const RULE = { freeAttempts: 3, first: 10, max: 60, window: 86_400 };
let clock: { now: number };
let pauses: AttemptBackoff;

beforeEach(() => {
  clock = { now: 0 };
  const [failures, turns] = [new Counted(clock), new Counted(clock)] as unknown as [RateLimit, RateLimit];
  pauses = new AttemptBackoff(failures, turns, RULE, (seconds) => new AccountLocked(seconds));
});

/** Returns the number of accepted attempts, and the pause before the next one. */
async function exhaust(key = 'a'): Promise<[number, number]> {
  for (let taken = 0; ; taken++) {
    const refusal = await pauses.consume(key).then(
      () => undefined,
      (error: AccountLocked) => error,
    );
    if (refusal) return [taken, Number(refusal.headers['Retry-After'])];
  }
}

describe('AttemptBackoff', () => {
  it('doubles pauses up to the maximum, with one attempt after each', async () => {
    const met = [await exhaust()];
    for (let i = 0; i < 4; i++) {
      clock.now += met.at(-1)![1] * 1000;
      met.push(await exhaust());
    }
    expect(met).toEqual([
      [3, 10],
      [1, 20],
      [1, 40],
      [1, 60],
      [1, 60],
    ]);
  });

  it('does not extend pauses on rejected attempts', async () => {
    await exhaust();
    for (let i = 0; i < 50; i++) await exhaust();
    clock.now += 10_000;
    expect(await exhaust()).toEqual([1, 20]);
  });

  it('ignores successful attempts and other keys', async () => {
    for (let i = 0; i < 20; i++) {
      await pauses.consume('a');
      await pauses.refund('a');
    }
    expect(await exhaust('b')).toEqual([3, 10]);
    expect(await exhaust('a')).toEqual([3, 10]);
    await pauses.reset('a');
    expect(await exhaust('a')).toEqual([3, 10]);
  });
});
