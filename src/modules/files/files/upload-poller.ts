import { Injectable } from '@nestjs/common';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { PendingUploadsRepository } from './pending-uploads.repository.js';
import { UploadCompletion } from './upload-completion.js';

const INTERVAL_MS = 2_000;
const BATCH = 100;

/** Polls expected uploads and removes expired ones. */
@Injectable()
export class UploadPoller extends PeriodicTask {
  constructor(
    private readonly uploads: UploadCompletion,
    private readonly repository: PendingUploadsRepository,
  ) {
    super(INTERVAL_MS, 'Could not poll expected uploads');
  }

  protected override async runBatch(): Promise<boolean> {
    const [found, ended] = [await this.uploads.pollDue(BATCH), await this.repository.removeExpired(BATCH)];
    return found === BATCH || ended === BATCH;
  }
}
