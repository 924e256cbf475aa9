import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import { serveBlob } from '../../../platform/blobs/serve-blob.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { Unlisted } from '../../../platform/server/unlisted.js';
import { MAX_LEVELS } from './file-path.js';
import { ServedFilesRepository } from './served-files.repository.js';

/** Whether PostgreSQL accepts the names and their number is within the maximum depth. */
const isPath = (names: readonly string[]): boolean =>
  names.length <= MAX_LEVELS + 1 && names.every((name) => name !== '' && !name.includes('\0'));

/**
 * Serves public files. Caches must revalidate on each request, so that replaced and deleted files take effect
 * immediately.
 */
@Controller('files')
export class ServedFilesController {
  constructor(
    private readonly files: ServedFilesRepository,
    @Inject(BLOBS) private readonly blobs: Blobs,
  ) {}

  @Get(':applicationId/*path')
  @Unlisted()
  async read(
    @Param('applicationId') applicationId: string,
    @Param('path') path: string[],
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const names = path.map((name) => name.normalize('NFC'));
    const found = isPath(names) ? await this.files.findContent(applicationId, names) : undefined;
    if (!found) throw new NotFound('This file');
    const { contentKey: key } = found;
    // The file is pending.
    if (key === null) return void response.status(204).end();
    await serveBlob(this.blobs, request, response, {
      key,
      fileName: names.at(-1)!,
      contentType: found.contentType ?? undefined,
      cacheControl: 'public, no-cache',
    });
  }
}
