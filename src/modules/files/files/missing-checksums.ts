import { Inject, Injectable, Logger } from '@nestjs/common';
import { BLOBS, BlobMissing, type Blobs } from '../../../lib/blobs/blobs.js';
import { hashed } from '../../../lib/blobs/content-md5.js';
import { DiskBlobs } from '../../../lib/blobs/disk-blobs.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import type { FileTable } from './file-upload.entity.js';
import { MissingChecksumsRepository, type UnhashedContent } from './missing-checksums.repository.js';

const INTERVAL_MS = 10 * 60_000;
const BATCH = 20;
const TABLES: readonly FileTable[] = ['files', 'private_files'];

/**
 * Computes the MD5 of contents in a folder that were uploaded before checksums were stored. Clients compare it with that
 * of their own copy. Contents are read one at a time. Several workers may compute the same checksum.
 */
@Injectable()
export class MissingChecksums extends PeriodicTask {
  private readonly log = new Logger(MissingChecksums.name);
  /** Last examined file of each table. Content that cannot be read is skipped until the next interval. */
  private readonly last = new Map<FileTable, string>();

  constructor(
    @Inject(BLOBS) private readonly blobs: Blobs,
    private readonly contents: MissingChecksumsRepository,
  ) {
    super(INTERVAL_MS, 'Could not compute checksums of files');
  }

  /** Examines the next contents of each table. Returns whether there may be more. */
  async fillBatch(): Promise<boolean> {
    // A bucket reports the checksums of its contents.
    if (!(this.blobs instanceof DiskBlobs)) return false;
    let hasMore = false;
    for (const table of TABLES) {
      const found = await this.contents.find(table, this.last.get(table) ?? '', BATCH);
      for (const content of found) if (!this.stopped) await this.fill(table, content);
      this.last.set(table, found.length < BATCH ? '' : found.at(-1)!.id);
      hasMore ||= found.length === BATCH;
    }
    return hasMore;
  }

  protected override runBatch(): Promise<boolean> {
    return this.fillBatch();
  }

  private async fill(table: FileTable, content: UnhashedContent): Promise<void> {
    try {
      const md5 = await this.md5Of(content.contentKey);
      if (md5 !== undefined) await this.contents.store(table, content, md5);
    } catch (error) {
      if (!(error instanceof BlobMissing))
        this.log.warn(`The checksum of file ${content.id} was not computed: ${(error as Error).message}`);
    }
  }

  /** Returns `undefined` if the process stops before the content has been read. */
  private async md5Of(key: string): Promise<string | undefined> {
    const { content, md5 } = hashed(await this.blobs.read(key));
    for await (const _ of content) if (this.stopped) return undefined;
    return md5();
  }
}
