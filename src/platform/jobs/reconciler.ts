import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Job, Queue } from 'bull';
import { RunsIn } from '../processes/roles.js';
import { JobRows } from './job-rows.js';
import { QUEUE, queueEntry } from './queue.js';

const INTERVAL_MS = 5_000;
const BATCH_SIZE = 500;
const RETENTION_DAYS = 30;

/**
 * Keeps the queue consistent with the table: adds due jobs that are not in the queue because their entry was lost,
 * their worker died or a retry is due. All workers do this concurrently; adding existing entries has no effect.
 */
@Injectable()
@RunsIn('worker')
export class Reconciler implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Reconciler.name);
  private timer?: NodeJS.Timeout;
  private stopped = false;

  constructor(
    private readonly rows: JobRows,
    @InjectQueue(QUEUE) private readonly queue: Queue,
  ) {}

  onApplicationBootstrap(): void {
    void this.runPeriodically();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  async reconcile(): Promise<void> {
    await this.rows.deleteOld(RETENTION_DAYS, BATCH_SIZE);
    if (this.queue.client.status !== 'ready') return;
    for (const { id, name: kind, abandoned } of await this.rows.findDue(BATCH_SIZE)) {
      // The entry of a dead worker would block the new one. It can be removed once the lock of that worker has expired.
      const entry = await this.queue.getJob(id);
      if (entry && (abandoned || isRemnant(entry))) await entry.remove().catch(() => undefined);
      await this.queue.add({ kind }, queueEntry(id));
    }
  }

  private async runPeriodically(): Promise<void> {
    await this.reconcile().catch((error: Error) =>
      this.logger.warn(`Could not reconcile the jobs: ${error.message}`),
    );
    if (!this.stopped) this.timer = setTimeout(() => void this.runPeriodically(), INTERVAL_MS);
  }
}

/**
 * Whether an entry is in no list and never will be. If an entry is removed while its worker hangs, Bull writes its
 * number of attempts again when the worker continues.
 */
const isRemnant = ({ timestamp }: Job): boolean => Number.isNaN(timestamp);
