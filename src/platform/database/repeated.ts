import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { RunsIn } from '../processes/roles.js';

/**
 * A task that is repeated in batches while the process runs, in workers unless a subclass declares other roles. Failed
 * batches are retried.
 */
@RunsIn('worker')
export abstract class Repeated implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(this.constructor.name);
  private timer?: NodeJS.Timeout;
  protected stopped = false;
  private running?: Promise<void>;

  /** `failed` is the log message for a failed batch. */
  protected constructor(
    private readonly intervalMs: number,
    private readonly failed: string,
  ) {}

  /** Processes a batch. Returns whether another batch may be due immediately. */
  protected abstract batch(): Promise<boolean>;

  /** Nest calls this twice for an instance that two modules provide, such as the storage of the throttler. */
  onApplicationBootstrap(): void {
    this.running ??= this.repeat();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async repeat(): Promise<void> {
    try {
      while (!this.stopped && (await this.batch()));
    } catch (error) {
      this.logger.warn(`${this.failed}: ${(error as Error).message}`);
    }
    if (!this.stopped) this.timer = setTimeout(() => void (this.running = this.repeat()), this.intervalMs);
  }
}
