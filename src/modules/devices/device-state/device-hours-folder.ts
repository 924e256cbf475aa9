import { Injectable } from '@nestjs/common';
import { Repeated } from '../../../platform/database/repeated.js';
import { HOUR } from './device-hours.columns.js';
import { DeviceHoursRepository } from './device-hours.repository.js';

const INTERVAL_MS = 1_000;
/** Waits for points that arrive shortly after an hour has ended, to avoid calculating its sums twice. */
const GRACE_MS = 60_000;
const LEAST_BATCH = 1;
const LARGEST_BATCH = 2_000;
/** Devices cannot report while their hours are calculated, so the batch size is reduced if a batch takes longer. */
const PATIENCE_MS = 250;

/** Calculates the hourly sums of devices after each hour, and again when late points arrive. Runs in every worker. */
@Injectable()
export class DeviceHoursFolder extends Repeated {
  private most = 100;

  constructor(private readonly hours: DeviceHoursRepository) {
    super(INTERVAL_MS, 'Could not calculate the hourly sums of devices');
  }

  protected override async batch(): Promise<boolean> {
    const begin = performance.now();
    const { most } = this;
    // If the batch fails because of its size, the next one is smaller too.
    this.most = Math.max(Math.floor(most / 4), LEAST_BATCH);
    const folded = await this.hours.fold(Date.now() - HOUR - GRACE_MS, most);
    if (performance.now() - begin < PATIENCE_MS)
      this.most = Math.min(folded === most ? most * 2 : most, LARGEST_BATCH);
    return folded === most;
  }
}
