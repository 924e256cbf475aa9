import { Injectable } from '@nestjs/common';
import { defineJob, PURGE } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import type { Purged } from '../files/file-tree.js';
import { PrivateFilesRepository } from './private-files.repository.js';

/** Removes what directories of private files held that were deleted. */
export const PRIVATE_FILES_PURGE = defineJob<Purged>('privateFile.purge', PURGE);

/** What is done for private files after the request. */
@Injectable()
export class PrivateFilesJobs {
  constructor(private readonly files: PrivateFilesRepository) {}

  @OnJob(PRIVATE_FILES_PURGE)
  purge({ applicationId }: Purged, { signal }: JobContext): Promise<void> {
    return this.files.removeDeleted(applicationId, signal);
  }
}
