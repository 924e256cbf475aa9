import { Injectable } from '@nestjs/common';
import { defineJob, PURGE } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import type { Purged } from './file-tree.js';
import { FilesRepository } from './files.repository.js';

/** Removes what directories held that were deleted. */
export const FILES_PURGE = defineJob<Purged>('file.purge', PURGE);

/** What is done for files after the request. */
@Injectable()
export class FilesJobs {
  constructor(private readonly files: FilesRepository) {}

  @OnJob(FILES_PURGE)
  purge({ applicationId }: Purged, { signal }: JobContext): Promise<void> {
    return this.files.removeDeleted(applicationId, signal);
  }
}
