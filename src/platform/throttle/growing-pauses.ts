import type { ApiError } from '../../lib/errors/errors.js';
import type { RateLimit } from './rate-limit.js';

/** How attempts that fail are slowed down. */
export interface PauseRule {
  /** So many may fail before there is a pause. */
  free: number;
  /** Seconds of the first pause. Each further one is twice as long as the last. */
  first: number;
  /** Seconds of the longest pause. */
  longest: number;
  /** Seconds that failures are remembered, from the first. */
  window: number;
}

/** Slows down attempts for each key. Nobody is shut out: after each pause one attempt is let through. */
export class GrowingPauses {
  constructor(
    private readonly failures: RateLimit,
    private readonly pauses: RateLimit,
    private readonly rule: PauseRule,
    private readonly refusal: (seconds: number) => ApiError,
  ) {}

  /**
   * Counts an attempt, which has failed until it is given back: many at once are no way around a pause. Throws the refusal
   * during one, which counts nothing.
   */
  async take(key: string): Promise<void> {
    const { free, first, longest } = this.rule;
    const { count } = await this.failures.add(key, 1);
    if (count < free) return;
    const pause = Math.min(first * 2 ** (count - free), longest);
    const { count: turn, msLeft } = await this.pauses.add(key, 1, pause);
    if (turn === 1) return;
    await this.giveBack(key);
    throw this.refusal(msLeft / 1000);
  }

  /** Takes an attempt back that has not failed. */
  async giveBack(key: string): Promise<void> {
    await this.failures.add(key, -1);
  }

  /** Counts from nothing again. */
  async forget(key: string): Promise<void> {
    await Promise.all([this.failures.forget(key), this.pauses.forget(key)]);
  }
}
