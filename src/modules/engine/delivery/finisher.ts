import { Injectable, Logger } from '@nestjs/common';
import { RunsIn } from '../../../platform/processes/roles.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../../platform/database/database.js';
import { isOutage } from '../../../platform/responses/database-errors.js';
import { RunFailures, type FailedRun } from './run-failures.js';
import { RunInboxRepository, type EndedRun } from './run-inbox.repository.js';

/** An ended run, with what happens after it is stored. */
export interface Ending extends EndedRun {
  id: string;
  applicationId: string;
  /** Present if triggers of errors are to fire. */
  failed?: FailedRun;
  /** Called when the run is stored, or can no longer be stored by this process. */
  stored: () => void;
}

/** Maximum number of runs of a statement. */
const MAX_BATCH = 500;
/**
 * Time in milliseconds during which ended runs are collected. Senders do not wait for it, and a statement costs the same as
 * dozens of runs in it.
 */
const COLLECT_MS = 10;
const RETRY_MS = 1_000;
/** After this many attempts, the runs are left to the next owner of their lanes. */
const ATTEMPTS = 15;

/** Stores ended runs. Those that end within a few milliseconds, or while a statement is under way, are stored together. */
@Injectable()
@RunsIn('engine')
export class Finisher {
  private readonly logger = new Logger(Finisher.name);
  private ended: Ending[] = [];
  private storing?: Promise<void>;

  constructor(
    private readonly database: Database,
    private readonly inbox: RunInboxRepository,
    private readonly failures: RunFailures,
  ) {}

  add(ending: Ending): void {
    this.ended.push(ending);
    this.storing ??= this.storeAll();
  }

  private async storeAll(): Promise<void> {
    while (this.ended.length > 0) {
      await sleep(COLLECT_MS);
      await this.storeWithRetries(this.ended.splice(0, MAX_BATCH));
    }
    this.storing = undefined;
  }

  /**
   * Stores runs, also after a failure of the database. If they cannot be stored for another reason, such as a locked
   * workflow, those of each application are stored apart, and nobody waits for them.
   */
  private async storeWithRetries(batch: readonly Ending[], isApart = false): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        await this.store(batch);
        break;
      } catch (error) {
        this.logger.warn(`Could not store ${batch.length} finished runs: ${(error as Error).message}`);
        if (!isApart && !isOutage(error)) {
          for (const part of partsOf(batch)) void this.storeWithRetries(part, true);
          return;
        }
      }
      await sleep(RETRY_MS);
    }
    for (const { stored } of batch) stored();
  }

  private async store(batch: readonly Ending[]): Promise<void> {
    if (!batch.some(({ failed }) => failed)) return void (await this.inbox.finish(batch));
    await this.database.transaction(async (transaction) => {
      const stored = await this.inbox.finish(batch, transaction);
      const failed = batch.flatMap((ending) =>
        ending.failed && stored.has(ending.id) ? [ending.failed] : [],
      );
      if (failed.length > 0) await this.failures.fire(failed, transaction);
    });
  }
}

/** Returns the runs of each application. */
function partsOf(batch: readonly Ending[]): Ending[][] {
  const applications = new Set(batch.map(({ applicationId }) => applicationId));
  return [...applications].map((id) => batch.filter(({ applicationId }) => applicationId === id));
}
