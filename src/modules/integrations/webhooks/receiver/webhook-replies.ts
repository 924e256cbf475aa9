import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { FlowRun } from '../../../flows/flow-runs/flow-run.entity.js';
import { FlowRunsRepository } from '../../../flows/flow-runs/flow-runs.repository.js';

export type RunReply = NonNullable<FlowRun['reply']>;

const INTERVAL_MS = 250;

/**
 * Waits for replies of workflows. Polls a few times per second, with one statement for all waiting callers of the
 * process, and only while callers are waiting.
 */
@Injectable()
export class WebhookReplies implements OnModuleDestroy {
  /** Maximum wait time of a caller, in milliseconds. */
  timeoutMs = 60_000;
  private readonly logger = new Logger(WebhookReplies.name);
  /** Callbacks of waiting callers, by run ID. */
  private readonly waiting = new Map<string, (reply?: RunReply) => void>();
  private timer?: NodeJS.Timeout;

  constructor(private readonly runs: FlowRunsRepository) {}

  onModuleDestroy(): void {
    for (const settle of this.waiting.values()) settle();
    clearTimeout(this.timer);
  }

  /**
   * Returns the first reply of one of the runs, or `undefined` if the time is over or the caller disconnects (`gone`).
   */
  async firstOf(runs: readonly string[], gone: AbortSignal): Promise<RunReply | undefined> {
    let patience: NodeJS.Timeout | undefined;
    try {
      return await new Promise<RunReply | undefined>((resolve) => {
        for (const id of runs) this.waiting.set(id, resolve);
        patience = setTimeout(() => resolve(undefined), this.timeoutMs);
        gone.addEventListener('abort', () => resolve(undefined), { once: true });
        this.schedule();
      });
    } finally {
      clearTimeout(patience);
      for (const id of runs) this.waiting.delete(id);
    }
  }

  private schedule(): void {
    if (this.waiting.size > 0) this.timer ??= setTimeout(() => void this.pollReplies(), INTERVAL_MS);
  }

  private async pollReplies(): Promise<void> {
    try {
      const replied = await this.runs.replied([...this.waiting.keys()]);
      for (const { id, reply } of replied) this.waiting.get(id)?.(reply!);
    } catch (error) {
      this.logger.warn(`Could not poll for replies of workflows: ${(error as Error).message}`);
    }
    this.timer = undefined;
    this.schedule();
  }
}
