import { Injectable, Logger } from '@nestjs/common';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NotFound } from '../../lib/errors/errors.js';
import { ServedFiles } from '../../modules/files/files/served-files.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { apiErrorOf } from '../../platform/responses/database-errors.js';
import { isId } from '../../workflows/graph/graph.js';
import { FileLinks } from './file-links.js';

/** Parameters of the paths below. */
interface FilePath {
  readonly applicationId: string;
  readonly path: string[];
}

/**
 * The host of files: public files of all applications, and private ones by signed links. It is apart from all sites and
 * from the API, and content has no rights of it either.
 */
@Injectable()
@RunsIn('sites')
export class SiteFiles {
  private readonly logger = new Logger(SiteFiles.name);
  private readonly app: Express;

  constructor(
    private readonly files: ServedFiles,
    private readonly links: FileLinks,
  ) {
    this.app = express();
    this.app.disable('x-powered-by');
    this.app.disable('etag');
    this.app.get('/private/:applicationId/*path', (request, response) =>
      this.servePrivate(paramsOf(request), request, response),
    );
    this.app.get(['/files/:applicationId/*path', '/:applicationId/*path'], (request, response) =>
      this.files.serve({ ...paramsOf(request), isPrivate: false }, request, response),
    );
    this.app.use(() => {
      throw new NotFound('This file');
    });
    // Express recognizes handlers of errors by their four parameters.
    this.app.use((error: Error, _request: Request, response: Response, _next: NextFunction) =>
      this.sendError(error, response),
    );
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    this.app(request, response);
  }

  private async servePrivate(
    { applicationId, path }: FilePath,
    request: Request,
    response: Response,
  ): Promise<void> {
    const { expires, signature } = request.query;
    const names = path.map((name) => name.normalize('NFC'));
    const link = { applicationId, names, expires: Number(expires) };
    if (typeof signature !== 'string' || !this.links.isValid(link, signature))
      throw new NotFound('This file');
    await this.files.serve({ applicationId, path, isPrivate: true }, request, response);
  }

  private sendError(error: Error & { status?: number }, response: Response): void {
    const shown = apiErrorOf(error);
    const status = shown?.status ?? (error.status === 400 ? 400 : 500);
    if (status === 500) this.logger.error(error);
    if (response.headersSent) return void response.destroy();
    response.status(status).json({ error: shown?.message ?? 'The file cannot be served' });
  }
}

/** Returns the parameters of a path. Throws 404 if it has no ID of an application. */
function paramsOf({ params }: Request): FilePath {
  const { applicationId, path } = params as unknown as FilePath;
  if (!isId(applicationId)) throw new NotFound('This file');
  return { applicationId, path };
}
