import { Injectable } from '@nestjs/common';
import { Removal } from '../../../platform/holdings/removal.js';
import { defineJob, PURGE } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';

/** Removes an application that was deleted, with all that belonged to it. */
export const APPLICATION_PURGE = defineJob<{ applicationId: string }>('application.purge', PURGE);

/** What is done for applications after the request. */
@Injectable()
export class ApplicationsJobs {
  constructor(private readonly removal: Removal) {}

  @OnJob(APPLICATION_PURGE)
  purge({ applicationId }: { applicationId: string }, { signal }: JobContext): Promise<void> {
    return this.removal.application(applicationId, signal);
  }
}
