import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { Database } from '../../../platform/database/database.js';
import { Repeated } from '../../../platform/database/repeated.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { DEVICE_PURGE } from './device-removal.jobs.js';
import { DeviceRemovalRepository } from './device-removal.repository.js';

const INTERVAL_MS = 10 * 60_000;
const BATCH = 100;

/**
 * Removes deleted devices for good once nobody may want them back, in every worker: each takes some that no other one is
 * removing. Row and job are one transaction, so nothing is left of a device and none that is restored meanwhile is lost.
 */
@Injectable()
export class DeviceRemoval extends Repeated {
  constructor(
    private readonly config: Config,
    private readonly rows: DeviceRemovalRepository,
    private readonly database: Database,
    private readonly jobs: JobsService,
  ) {
    super(INTERVAL_MS, 'Deleted devices were not removed');
  }

  /** Removes some of them; whether there may be more. */
  override async batch(): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const gone = await this.rows.take(this.config.DELETED_DEVICE_DAYS, BATCH, transaction);
      if (gone.length > 0) await this.jobs.enqueue(transaction, DEVICE_PURGE, { gone });
      return gone.length === BATCH;
    });
  }
}
