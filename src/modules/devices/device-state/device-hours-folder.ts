import { Injectable } from '@nestjs/common';
import { Repeated } from '../../../platform/database/repeated.js';
import { HOUR } from './device-hours.columns.js';
import { DeviceHoursRepository } from './device-hours.repository.js';

const INTERVAL_MS = 1_000;
/** What comes just after an hour is over is not worth adding it up twice. */
const GRACE_MS = 60_000;
const LEAST_BATCH = 1;
const LARGEST_BATCH = 2_000;
/** Devices cannot report while their hours are added up, so a batch that takes longer makes the next one smaller. */
const PATIENCE_MS = 250;

/** Adds up the hours of devices once they are over, and again when something of them comes late; in every worker. */
@Injectable()
export class DeviceHoursFolder extends Repeated {
  private most = 100;

  constructor(private readonly hours: DeviceHoursRepository) {
    super(INTERVAL_MS, 'Hours of devices were not added up');
  }

  protected override async batch(): Promise<boolean> {
    const begin = performance.now();
    const { most } = this;
    // Where it fails for its size, the next one is smaller too.
    this.most = Math.max(Math.floor(most / 4), LEAST_BATCH);
    const folded = await this.hours.fold(Date.now() - HOUR - GRACE_MS, most);
    if (performance.now() - begin < PATIENCE_MS)
      this.most = Math.min(folded === most ? most * 2 : most, LARGEST_BATCH);
    return folded === most;
  }
}
