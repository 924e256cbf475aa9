import { Controller, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { NotFound } from '../../lib/errors/errors.js';
import { Unlisted } from '../server/unlisted.js';
import { BLOBS, type Blobs } from '../../lib/blobs/blobs.js';
import { DiskBlobs } from '../../lib/blobs/disk-blobs.js';
import { serveBlob } from './serve-blob.js';
import { Uploads } from './uploads.js';

/**
 * Serves the links and forms of a disk store; those of an S3 store point to S3. Possession of the link or form grants
 * access.
 */
@Controller('blobs')
export class BlobsController {
  constructor(
    @Inject(BLOBS) private readonly blobs: Blobs,
    private readonly uploads: Uploads,
  ) {}

  /** Responds like S3: no content, and the `ETag` of the blob. */
  @Post()
  @HttpCode(204)
  @Unlisted()
  async upload(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    const { etag } = await this.uploads.receive(request);
    response.setHeader('ETag', etag);
  }

  @Get('*key')
  @Unlisted()
  async download(
    @Param('key') parts: string[],
    @Query() query: Record<string, unknown>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { blobs } = this;
    if (!(blobs instanceof DiskBlobs)) throw new NotFound('This path');
    const key = parts.join('/');
    const allowed = blobs.verifyDownload(key, query, new Date());
    await serveBlob(blobs, request, response, { key, ...allowed, cacheControl: 'no-store' });
  }
}
