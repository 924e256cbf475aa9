import { Logger } from '@nestjs/common';
import { WorkBudget } from '../../lib/async/work-budget.js';
import type { DeviceGrant } from '../access/device-grant.js';
import type { AgentServices } from './agent-services.js';

/** A client whose device has an agent. */
export interface AgentClient {
  /**
   * Sends a message to the agent; `name` is the topic after `toAgent/`. Returns `false` if the client has not subscribed
   * to it.
   */
  tell(name: string, payload: Buffer): boolean;
  /** Whether much of the earlier messages has not been read by the client yet. */
  readonly isBehind: boolean;
}

/** Comparisons read modules and workflows, of which a change concerns many devices at once. */
const COMPARISONS = new WorkBudget({ concurrency: 8, concurrencyPerOwner: 4, waitingPerOwner: Infinity });
const RETRY_MS = 5_000;

/**
 * A connected agent. Compares what the device runs with its deployments whenever one of them may have changed, and sends
 * the difference.
 */
export abstract class AgentSession {
  protected readonly logger = new Logger(this.constructor.name);
  protected hasEnded = false;
  private isDue = false;
  /** Whether a message could not be sent because the client has not subscribed to it. */
  private isUndelivered = false;
  private isWorking = false;
  private timer?: NodeJS.Timeout;

  constructor(
    readonly grant: DeviceGrant,
    protected readonly client: AgentClient,
    protected readonly services: AgentServices,
  ) {}

  /**
   * Processes a message of the agent; `name` is the topic after `fromAgent/`. Returns a promise if something must be
   * stored before the message is acknowledged, which rejects if it may have been lost.
   */
  abstract receive(name: string, payload: Buffer): Promise<void> | undefined;

  /** Processes a signal that deployments may have changed. */
  abstract signalled(): void;

  /** Compares again, because deployments may have changed to `version` without a signal. */
  verify(_version: string): void {
    this.signalled();
  }

  /** Asks the agent for the debug messages that somebody watches, if it sends them on request only. */
  watched(): void {
    // Embedded agents always send them.
  }

  /** Sends what the client could not receive before it has subscribed. */
  subscribed(): void {
    if (!this.isUndelivered) return;
    this.isUndelivered = false;
    this.wake();
  }

  end(): void {
    this.hasEnded = true;
    clearTimeout(this.timer);
  }

  protected abstract compare(): Promise<void>;

  /** Sends a message to the agent. Returns `false` if the client has not subscribed to it yet. */
  protected tell(name: string, payload: Buffer): boolean {
    if (this.client.tell(name, payload)) return true;
    this.isUndelivered = true;
    return false;
  }

  /** Starts a comparison, or repeats the one in progress. */
  protected wake(): void {
    this.isDue = true;
    if (!this.isWorking) void this.work();
  }

  /** Starts a comparison after a time, unless something else does before. */
  protected wakeAfter(milliseconds: number): void {
    clearTimeout(this.timer);
    if (!this.hasEnded) this.timer = setTimeout(() => this.wake(), milliseconds).unref();
  }

  private async work(): Promise<void> {
    this.isWorking = true;
    clearTimeout(this.timer);
    try {
      while (this.isDue && !this.hasEnded)
        await COMPARISONS.run(this.grant.ownerId, async () => {
          this.isDue = false;
          if (!this.hasEnded) await this.compare();
        });
    } catch (error) {
      this.logger.warn(
        `Could not compare the deployments of ${this.grant.deviceId}: ${(error as Error).message}`,
      );
      this.wakeAfter(RETRY_MS);
    }
    this.isWorking = false;
  }
}
