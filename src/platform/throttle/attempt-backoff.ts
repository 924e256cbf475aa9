import type { ApiError } from '../../lib/errors/errors.js';
import type { RateLimit } from './rate-limit.js';

/** Rule that slows down failing attempts. */
export interface BackoffRule {
  /** Number of failures before the first pause. */
  freeAttempts: number;
  /** Length of the first pause in seconds. Each further pause is twice as long. */
  first: number;
  /** Maximum length of a pause in seconds. */
  max: number;
  /** Seconds that failures are counted, starting with the first. */
  window: number;
}

/** Slows down attempts per key. Never blocks permanently: after each pause, one attempt is accepted. */
export class AttemptBackoff {
  constructor(
    private readonly failures: RateLimit,
    private readonly pauses: RateLimit,
    private readonly rule: BackoffRule,
    private readonly errorFor: (seconds: number) => ApiError,
  ) {}

  /**
   * Counts an attempt, which is considered failed until it is given back, so that concurrent attempts cannot bypass a
   * pause. Throws the refusal during a pause; rejected attempts are not counted.
   */
  async consume(key: string): Promise<void> {
    const { freeAttempts, first, max } = this.rule;
    const { count } = await this.failures.add(key, 1);
    if (count < freeAttempts) return;
    const pause = Math.min(first * 2 ** (count - freeAttempts), max);
    const { count: turn, msLeft } = await this.pauses.add(key, 1, pause);
    if (turn === 1) return;
    await this.refund(key);
    throw this.errorFor(msLeft / 1000);
  }

  /** Removes a successful attempt from the count. */
  async refund(key: string): Promise<void> {
    await this.failures.add(key, -1);
  }

  /** Resets the count of the key. */
  async reset(key: string): Promise<void> {
    await Promise.all([this.failures.reset(key), this.pauses.reset(key)]);
  }
}
