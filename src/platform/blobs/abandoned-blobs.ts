import { Inject, Injectable } from '@nestjs/common';
import { PeriodicTask } from '../database/periodic-task.js';
import { BLOBS, type Blobs } from '../../lib/blobs/blobs.js';
import { DiskBlobs } from '../../lib/blobs/disk-blobs.js';

const INTERVAL_MS = 10 * 60 * 1000;

/**
 * Removes partial files of processes that were killed while writing. An S3 store discards incomplete objects itself.
 */
@Injectable()
export class AbandonedBlobsRemoval extends PeriodicTask {
  constructor(@Inject(BLOBS) private readonly blobs: Blobs) {
    super(INTERVAL_MS, 'Unfinished blobs were not removed');
  }

  protected override async runBatch(): Promise<boolean> {
    if (this.blobs instanceof DiskBlobs) await this.blobs.removeAbandoned(new Date());
    return false;
  }
}
