import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Job, Queue } from 'bull';
import { JobRows } from './job-rows.js';
import { QUEUE, queueEntry } from './queue.js';

const INTERVAL_MS = 5_000;
const MOST_AT_ONCE = 500;
const KEPT_DAYS = 30;

/**
 * Keeps the queue in line with the table: adds what is due and not in the queue, because it was lost there, its worker
 * died or it is to be tried again. All workers do this at once: adding again what the queue has changes nothing.
 */
@Injectable()
export class Reconciler implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Reconciler.name);
  private timer?: NodeJS.Timeout;
  private stopped = false;

  constructor(
    private readonly rows: JobRows,
    @InjectQueue(QUEUE) private readonly queue: Queue,
  ) {}

  onApplicationBootstrap(): void {
    void this.repeat();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  async reconcile(): Promise<void> {
    await this.rows.deleteOld(KEPT_DAYS, MOST_AT_ONCE);
    if (this.queue.client.status !== 'ready') return;
    for (const { id, name: kind, abandoned } of await this.rows.due(MOST_AT_ONCE)) {
      // A dead worker's entry would keep the new one out; it can be removed when that worker's lock has run out.
      const entry = await this.queue.getJob(id);
      if (entry && (abandoned || isRemnant(entry))) await entry.remove().catch(() => undefined);
      await this.queue.add({ kind }, queueEntry(id));
    }
  }

  private async repeat(): Promise<void> {
    await this.reconcile().catch((error: Error) =>
      this.logger.warn(`Jobs were not reconciled: ${error.message}`),
    );
    if (!this.stopped) this.timer = setTimeout(() => void this.repeat(), INTERVAL_MS);
  }
}

/**
 * Whether an entry is in no list, and never will be: of one that was removed while its worker hung, Bull writes down once more how
 * often it was tried when that worker goes on.
 */
const isRemnant = ({ timestamp }: Job): boolean => Number.isNaN(timestamp);
