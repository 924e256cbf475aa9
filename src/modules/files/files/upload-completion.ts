import { Inject, Injectable, Logger } from '@nestjs/common';
import { finished } from 'node:stream/promises';
import { BLOBS, type BlobMetadata, type Blobs } from '../../../lib/blobs/blobs.js';
import { hashed } from '../../../lib/blobs/content-md5.js';
import { DiskBlobs } from '../../../lib/blobs/disk-blobs.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { FileContents, keyOf } from './file-contents.js';
import { PendingUploadsRepository, type OpenUpload } from './pending-uploads.repository.js';

const MAX_CONCURRENT = 10;
/** Uploads polled per file when the file is read. */
const MAX_POLLED_PER_FILE = 5;

/**
 * Detects completed uploads. Uploads through a process are recorded immediately. Uploads to S3 send no notification,
 * and a process may end before it records an upload. Expected uploads are therefore polled at growing intervals and
 * when their file is read.
 */
@Injectable()
export class UploadCompletion {
  private readonly logger = new Logger(UploadCompletion.name);

  constructor(
    private readonly uploads: PendingUploadsRepository,
    private readonly contents: FileContents,
    @Inject(BLOBS) private readonly blobs: Blobs,
  ) {}

  /** Polls the uploads of a file. Returns whether one of them had completed. */
  async pollFile(applicationId: string, fileId: string): Promise<boolean> {
    return this.poll(await this.uploads.ofFile(applicationId, fileId, MAX_POLLED_PER_FILE));
  }

  /** Polls at most the given number of due uploads and returns their number. */
  async pollDue(max: number): Promise<number> {
    const due = await this.uploads.claimDue(max);
    for (let at = 0; at < due.length; at += MAX_CONCURRENT)
      await this.poll(due.slice(at, at + MAX_CONCURRENT));
    return due.length;
  }

  private async poll(uploads: readonly OpenUpload[]): Promise<boolean> {
    const found = await Promise.all(uploads.map((upload) => this.complete(keyOf(upload))));
    return found.includes(true);
  }

  /** A folder does not store the MD5 of its content, so it is computed again. */
  private async find(key: string): Promise<BlobMetadata | undefined> {
    const facts = await this.blobs.find(key);
    if (!facts || !(this.blobs instanceof DiskBlobs)) return facts;
    const { content, md5 } = hashed(await this.blobs.read(key));
    await finished(content.resume());
    return { ...facts, etag: md5() };
  }

  /** Errors of the store are ignored until the next poll. Content that exceeds the owner's limit is deleted. */
  private async complete(key: string): Promise<boolean> {
    try {
      const facts = await this.find(key);
      return facts !== undefined && (await this.contents.complete(key, facts)) !== undefined;
    } catch (error) {
      if (!(error instanceof ValidationError))
        this.logger.warn(`Could not poll an upload: ${(error as Error).message}`);
      return false;
    }
  }
}
