import type { ApiError } from '../../lib/errors/errors.js';
import type { RateLimit } from './rate-limit.js';

/** Rule that slows down failing attempts. */
export interface PauseRule {
  /** Number of failures before the first pause. */
  free: number;
  /** Length of the first pause in seconds. Each further pause is twice as long. */
  first: number;
  /** Maximum length of a pause in seconds. */
  longest: number;
  /** Seconds that failures are counted, starting with the first. */
  window: number;
}

/** Slows down attempts per key. Never blocks permanently: after each pause, one attempt is accepted. */
export class GrowingPauses {
  constructor(
    private readonly failures: RateLimit,
    private readonly pauses: RateLimit,
    private readonly rule: PauseRule,
    private readonly refusal: (seconds: number) => ApiError,
  ) {}

  /**
   * Counts an attempt, which is considered failed until it is given back, so that concurrent attempts cannot bypass a
   * pause. Throws the refusal during a pause; rejected attempts are not counted.
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

  /** Removes a successful attempt from the count. */
  async giveBack(key: string): Promise<void> {
    await this.failures.add(key, -1);
  }

  /** Resets the count of the key. */
  async forget(key: string): Promise<void> {
    await Promise.all([this.failures.forget(key), this.pauses.forget(key)]);
  }
}
