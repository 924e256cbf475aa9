import { Injectable } from '@nestjs/common';
import { defineJob, PURGE } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import type { PurgedFiles } from '../files/file-tree.js';
import { PrivateFilesRepository } from './private-files.repository.js';

/** Deletes the contents of deleted directories of private files. */
export const PRIVATE_FILES_PURGE = defineJob<PurgedFiles>('privateFile.purge', PURGE);

/** Runs jobs for private files. */
@Injectable()
export class PrivateFilesJobs {
  constructor(private readonly files: PrivateFilesRepository) {}

  @OnJob(PRIVATE_FILES_PURGE)
  purge({ applicationId }: PurgedFiles, { signal }: JobContext): Promise<void> {
    return this.files.removeDeleted(applicationId, signal);
  }
}
