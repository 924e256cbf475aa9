import { Injectable } from '@nestjs/common';
import { Removal } from '../../../platform/holdings/removal.js';
import { defineJob, PURGE } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';

/** Removes a deleted application with everything in it. */
export const APPLICATION_PURGE = defineJob<{ applicationId: string }>('application.purge', PURGE);

/** Background work for applications. */
@Injectable()
export class ApplicationsJobs {
  constructor(private readonly removal: Removal) {}

  @OnJob(APPLICATION_PURGE)
  purge({ applicationId }: { applicationId: string }, { signal }: JobContext): Promise<void> {
    return this.removal.application(applicationId, signal);
  }
}
