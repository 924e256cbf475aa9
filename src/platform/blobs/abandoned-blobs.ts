import { Inject, Injectable } from '@nestjs/common';
import { Repeated } from '../database/repeated.js';
import { BLOBS, type Blobs } from '../../lib/blobs/blobs.js';
import { DiskBlobs } from '../../lib/blobs/disk-blobs.js';

const INTERVAL_MS = 10 * 60 * 1000;

/** Removes from a folder what a process that was killed had begun to write. An S3 store keeps nothing that is not whole. */
@Injectable()
export class AbandonedBlobsRemoval extends Repeated {
  constructor(@Inject(BLOBS) private readonly blobs: Blobs) {
    super(INTERVAL_MS, 'Blobs that were never finished were not removed');
  }

  protected override async batch(): Promise<boolean> {
    if (this.blobs instanceof DiskBlobs) await this.blobs.removeAbandoned(new Date());
    return false;
  }
}
