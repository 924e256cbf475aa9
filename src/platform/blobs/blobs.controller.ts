import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { pipeline } from 'node:stream/promises';
import { NotFound } from '../errors/errors.js';
import { Unlisted } from '../server/unlisted.js';
import { attachmentHeader, BlobMissing, BLOBS, type Blobs } from './blobs.js';
import { DiskBlobs } from './disk-blobs.js';

/** Answers the download links of a disk store; those of an S3 store lead there. The link itself is the right to it. */
@Controller('blobs')
export class BlobsController {
  constructor(@Inject(BLOBS) private readonly blobs: Blobs) {}

  @Get('*key')
  @Unlisted()
  async download(
    @Param('key') parts: string[],
    @Query() query: Record<string, unknown>,
    @Res() response: Response,
  ): Promise<void> {
    const { blobs } = this;
    if (!(blobs instanceof DiskBlobs)) throw new NotFound('This path');
    const key = parts.join('/');
    const { fileName } = blobs.verifyDownload(key, query, new Date());
    const content = await blobs.read(key).catch((error: unknown) => {
      throw error instanceof BlobMissing ? new NotFound('This file') : error;
    });
    response.setHeader('Content-Type', 'application/octet-stream');
    response.setHeader('Content-Disposition', attachmentHeader(fileName));
    await pipeline(content, response);
  }
}
