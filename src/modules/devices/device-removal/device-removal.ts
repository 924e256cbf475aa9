import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { Database } from '../../../platform/database/database.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { DEVICE_PURGE } from './device-removal.jobs.js';
import { DeviceRemovalRepository } from './device-removal.repository.js';

const INTERVAL_MS = 10 * 60_000;
const BATCH = 100;

/**
 * Permanently removes deleted devices after the restore period. Runs in every worker; each takes devices that no other
 * worker is removing. Row and job are written in one transaction, so no data remains, and a device that is restored
 * concurrently is not lost.
 */
@Injectable()
export class DeviceRemoval extends PeriodicTask {
  constructor(
    private readonly config: Config,
    private readonly rows: DeviceRemovalRepository,
    private readonly database: Database,
    private readonly jobs: JobsService,
  ) {
    super(INTERVAL_MS, 'Could not remove deleted devices');
  }

  /** Removes a batch of devices; returns whether there may be more. */
  override async runBatch(): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const gone = await this.rows.removeDeleted(this.config.DELETED_DEVICE_DAYS, BATCH, transaction);
      if (gone.length > 0) await this.jobs.enqueue(transaction, DEVICE_PURGE, { gone });
      return gone.length === BATCH;
    });
  }
}
