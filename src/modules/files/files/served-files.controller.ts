import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Unlisted } from '../../../platform/server/unlisted.js';
import { ServedFiles } from './served-files.js';

/** Public files on the host of the API, for links from before sites served them. */
@Controller('files')
export class ServedFilesController {
  constructor(private readonly files: ServedFiles) {}

  @Get(':applicationId/*path')
  @Unlisted()
  read(
    @Param('applicationId') applicationId: string,
    @Param('path') path: string[],
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.files.serve({ applicationId, path, isPrivate: false }, request, response);
  }
}
