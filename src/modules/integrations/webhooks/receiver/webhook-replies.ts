import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { FlowRun } from '../../../flows/flow-runs/flow-run.entity.js';
import { FlowRunsRepository } from '../../../flows/flow-runs/flow-runs.repository.js';

export type RunReply = NonNullable<FlowRun['reply']>;

const INTERVAL_MS = 250;

/**
 * Waits for what workflows reply. One statement asks for all who wait in this process, a few times a second, and only
 * while somebody waits.
 */
@Injectable()
export class WebhookReplies implements OnModuleDestroy {
  /** How long a caller waits. */
  patienceMs = 60_000;
  private readonly logger = new Logger(WebhookReplies.name);
  /** Who waits, by the runs that they wait for. */
  private readonly waiting = new Map<string, (reply?: RunReply) => void>();
  private timer?: NodeJS.Timeout;

  constructor(private readonly runs: FlowRunsRepository) {}

  onModuleDestroy(): void {
    for (const settle of this.waiting.values()) settle();
    clearTimeout(this.timer);
  }

  /** The first reply of one of the runs; none where the time is over, or `gone` says that nobody waits any longer. */
  async firstOf(runs: readonly string[], gone: AbortSignal): Promise<RunReply | undefined> {
    let patience: NodeJS.Timeout | undefined;
    try {
      return await new Promise<RunReply | undefined>((resolve) => {
        for (const id of runs) this.waiting.set(id, resolve);
        patience = setTimeout(() => resolve(undefined), this.patienceMs);
        gone.addEventListener('abort', () => resolve(undefined), { once: true });
        this.schedule();
      });
    } finally {
      clearTimeout(patience);
      for (const id of runs) this.waiting.delete(id);
    }
  }

  private schedule(): void {
    if (this.waiting.size > 0) this.timer ??= setTimeout(() => void this.ask(), INTERVAL_MS);
  }

  private async ask(): Promise<void> {
    try {
      const replied = await this.runs.replied([...this.waiting.keys()]);
      for (const { id, reply } of replied) this.waiting.get(id)?.(reply!);
    } catch (error) {
      this.logger.warn(`Replies were not asked for: ${(error as Error).message}`);
    }
    this.timer = undefined;
    this.schedule();
  }
}
