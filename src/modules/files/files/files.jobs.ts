import { Injectable } from '@nestjs/common';
import { defineJob, PURGE } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import type { PurgedFiles } from './file-tree.js';
import { FilesRepository } from './files.repository.js';

/** Deletes the contents of deleted directories. */
export const FILES_PURGE = defineJob<PurgedFiles>('file.purge', PURGE);

/** Runs jobs for files. */
@Injectable()
export class FilesJobs {
  constructor(private readonly files: FilesRepository) {}

  @OnJob(FILES_PURGE)
  purge({ applicationId }: PurgedFiles, { signal }: JobContext): Promise<void> {
    return this.files.removeDeleted(applicationId, signal);
  }
}
