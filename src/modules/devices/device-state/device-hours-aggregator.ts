import { Injectable } from '@nestjs/common';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { HOUR } from './device-hours.columns.js';
import { DeviceHoursRepository } from './device-hours.repository.js';

const INTERVAL_MS = 1_000;
/** Waits for points that are stored shortly after an hour has ended, to avoid calculating its sums twice. */
const GRACE_MS = 60_000;
const MIN_BATCH = 1;
const MAX_BATCH = 2_000;
/** Devices cannot report while their hours are calculated, so the batch size is reduced if a batch takes longer. */
const TARGET_BATCH_MS = 250;

/** Calculates the hourly sums of devices after each hour, and again after late points. Runs in every worker. */
@Injectable()
export class DeviceHoursAggregator extends PeriodicTask {
  private batchSize = 100;

  constructor(private readonly hours: DeviceHoursRepository) {
    super(INTERVAL_MS, 'Could not calculate the hourly sums of devices');
  }

  protected override async runBatch(): Promise<boolean> {
    const begin = performance.now();
    const { batchSize: max } = this;
    // If the batch fails because of its size, the next one is smaller too.
    this.batchSize = Math.max(Math.floor(max / 4), MIN_BATCH);
    const folded = await this.hours.aggregate(Date.now() - HOUR - GRACE_MS, max);
    if (performance.now() - begin < TARGET_BATCH_MS)
      this.batchSize = Math.min(folded === max ? max * 2 : max, MAX_BATCH);
    return folded === max;
  }
}
