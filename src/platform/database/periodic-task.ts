import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { RunsIn } from '../processes/roles.js';

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

  /** Processes a batch. Returns whether another batch may be due immediately. */
  protected abstract runBatch(): Promise<boolean>;

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
    try {
      while (!this.stopped && (await this.runBatch()));
    } catch (error) {
      this.logger.warn(`${this.failureMessage}: ${(error as Error).message}`);
    }
    if (!this.stopped)
      this.timer = setTimeout(() => void (this.running = this.runBatches()), this.intervalMs);
  }
}
