import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';

/** What a worker does again and again, a batch at a time, as long as the process runs. What fails is tried again. */
export abstract class Repeated implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(this.constructor.name);
  private timer?: NodeJS.Timeout;
  protected stopped = false;
  private running?: Promise<void>;

  /** `failed` is what the log says when a batch fails. */
  protected constructor(
    private readonly intervalMs: number,
    private readonly failed: string,
  ) {}

  /** Does a batch; whether there may be more at once. */
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
