import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { serveBlob } from '../../../platform/blobs/serve-blob.js';
import { MAX_LEVELS } from './file-path.js';
import { ServedFilesRepository } from './served-files.repository.js';

/** File at a path of decoded names. */
interface ServedFile {
  readonly applicationId: string;
  readonly path: readonly string[];
  /** Whether the file is a private one, which the caller may read. */
  readonly isPrivate: boolean;
}

/** Whether PostgreSQL accepts the names and their number is within the maximum depth. */
const isPath = (names: readonly string[]): boolean =>
  names.length <= MAX_LEVELS + 1 && names.every((name) => name !== '' && !name.includes('\0'));

/**
 * Serves contents of files. Caches must revalidate on each request, so that replaced and deleted files take effect
 * immediately.
 */
@Injectable()
export class ServedFiles {
  constructor(
    private readonly files: ServedFilesRepository,
    @Inject(BLOBS) private readonly blobs: Blobs,
  ) {}

  /** Responds with the content of a file. Throws 404 if it does not exist. */
  async serve(
    { applicationId, path, isPrivate }: ServedFile,
    request: Request,
    response: Response,
  ): Promise<void> {
    const names = path.map((name) => name.normalize('NFC'));
    const found = isPath(names)
      ? await this.files.findContent(applicationId, names, isPrivate ? 'private_files' : 'files')
      : undefined;
    if (!found) throw new NotFound('This file');
    const { contentKey: key } = found;
    // The file is pending.
    if (key === null) return void response.status(204).end();
    await serveBlob(this.blobs, request, response, {
      key,
      fileName: names.at(-1)!,
      contentType: found.contentType ?? undefined,
      cacheControl: `${isPrivate ? 'private' : 'public'}, no-cache`,
    });
  }
}
