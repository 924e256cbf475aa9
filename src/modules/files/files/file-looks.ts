import { Inject, Injectable, Logger } from '@nestjs/common';
import { BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { FileContents, keyOf } from './file-contents.js';
import { FileLooksRepository, type OpenUpload } from './file-looks.repository.js';

const AT_ONCE = 10;
/** Of one file, as it is read. */
const MOST_OF_FILE = 5;

/**
 * Notices that uploads have come. What comes through a process is noted at once; of what comes to S3 nobody is told, and a process
 * may end between a content and its note, so uploads that are expected are looked for with growing pauses, and when their file is
 * read.
 */
@Injectable()
export class FileLooks {
  private readonly logger = new Logger(FileLooks.name);

  constructor(
    private readonly looks: FileLooksRepository,
    private readonly contents: FileContents,
    @Inject(BLOBS) private readonly blobs: Blobs,
  ) {}

  /** Looks for the uploads of a file; whether one of them had come. */
  async lookFor(applicationId: string, fileId: string): Promise<boolean> {
    return this.look(await this.looks.ofFile(applicationId, fileId, MOST_OF_FILE));
  }

  /** Looks for some that are due, at most as many; how many there were. */
  async lookForSome(most: number): Promise<number> {
    const due = await this.looks.takeDue(most);
    for (let at = 0; at < due.length; at += AT_ONCE) await this.look(due.slice(at, at + AT_ONCE));
    return due.length;
  }

  private async look(uploads: readonly OpenUpload[]): Promise<boolean> {
    const found = await Promise.all(uploads.map((upload) => this.complete(keyOf(upload))));
    return found.includes(true);
  }

  /** Where a store does not answer, the next look is soon enough; what is too much for the owner is removed. */
  private async complete(key: string): Promise<boolean> {
    try {
      const facts = await this.blobs.find(key);
      return facts !== undefined && (await this.contents.complete(key, facts)) !== undefined;
    } catch (error) {
      if (!(error instanceof ValidationError))
        this.logger.warn(`An upload was not looked for: ${(error as Error).message}`);
      return false;
    }
  }
}
