import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { RunsIn } from '../processes/roles.js';

/** Shortest pause in milliseconds, also before work that is due: another process may have it. */
const MIN_PAUSE_MS = 50;

/**
 * A task that is repeated in batches while the process runs, in workers unless a subclass declares other roles. Failed
 * batches are retried.
 */
@RunsIn('worker')
export abstract class PeriodicTask implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(this.constructor.name);
  private timer?: NodeJS.Timeout;
  protected stopped = false;
  private running?: Promise<void>;

  /** `failureMessage` is the log message for a failed batch. */
  protected constructor(
    private readonly intervalMs: number,
    private readonly failureMessage: string,
  ) {}

  /**
   * Processes a batch. Returns whether another batch may be due immediately, or the time at which one is due, if that is
   * before the interval has passed.
   */
  protected abstract runBatch(): Promise<boolean | Date>;

  /** Nest calls this twice for an instance that two modules provide, such as the storage of the throttler. */
  onApplicationBootstrap(): void {
    this.running ??= this.runBatches();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async runBatches(): Promise<void> {
    let due: boolean | Date = true;
    try {
      while (!this.stopped && due === true) due = await this.runBatch();
    } catch (error) {
      this.logger.warn(`${this.failureMessage}: ${(error as Error).message}`);
    }
    if (!this.stopped)
      this.timer = setTimeout(() => void (this.running = this.runBatches()), this.pauseBefore(due));
  }

  private pauseBefore(due: boolean | Date): number {
    const pause = due instanceof Date ? due.getTime() - Date.now() : this.intervalMs;
    return Math.min(Math.max(pause, MIN_PAUSE_MS), this.intervalMs);
  }
}
