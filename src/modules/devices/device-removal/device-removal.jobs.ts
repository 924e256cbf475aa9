import { Injectable } from '@nestjs/common';
import { defineJob, PURGE } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { DeviceRemovalRepository, type RemovedDevice } from './device-removal.repository.js';

/** Job that deletes the remaining data of removed devices or attributes. */
export const DEVICE_PURGE = defineJob<{ gone: readonly RemovedDevice[] }>('device.purge', PURGE);

/** Handles the jobs for removed devices. */
@Injectable()
export class DeviceRemovalJobs {
  constructor(private readonly rows: DeviceRemovalRepository) {}

  @OnJob(DEVICE_PURGE)
  async purge({ gone }: { gone: readonly RemovedDevice[] }, { signal }: JobContext): Promise<void> {
    for (const one of gone) await this.rows.removeData(one, signal);
  }
}
