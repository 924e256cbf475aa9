import { createBullBoard } from '@bull-board/api';
import { BullAdapter } from '@bull-board/api/bullAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { InjectQueue } from '@nestjs/bull';
import { Injectable } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Queue } from 'bull';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { ApiError, Unauthorized } from '../../../lib/errors/errors.js';
import { QUEUE } from '../../../platform/jobs/queue.js';
import { OperatorSignIn } from './operator-sign-in.js';

export const BOARD_PATH = '/jobs-board';

const CHALLENGE_HEADERS = { 'WWW-Authenticate': 'Basic realm="Jobs", charset="UTF-8"' };

/** All fonts, scripts and images are served from this server. */
const headers = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      baseUri: ["'self'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
});

/**
 * Page for operators that shows the current state of the queue. It is read-only: jobs are rows, and the queue only
 * wakes workers. It shows only the ID and type of a job, since the queue has no other data.
 */
@Injectable()
export class JobsBoard {
  constructor(
    @InjectQueue(QUEUE) private readonly queue: Queue,
    private readonly operators: OperatorSignIn,
  ) {}

  /** Registers the job board, for admins only. Must be called before the routes are registered. */
  serve(app: NestExpressApplication): void {
    const server = new ExpressAdapter();
    server.setBasePath(BOARD_PATH);
    const queue = new BullAdapter(this.queue, {
      readOnlyMode: true,
      description: 'Messages that wake workers',
    });
    queue.setFormatter('name', ({ data }: { data: { kind?: string } }) => data.kind ?? 'job');
    createBullBoard({
      queues: [queue],
      serverAdapter: server,
      options: { uiConfig: { boardTitle: 'Jobs', hideRedisDetails: true, hideDocsLink: true } },
    });
    const admit = (request: Request, _response: Response, next: NextFunction) =>
      void this.admit(request).then(() => next(), next);
    app.use(BOARD_PATH, headers, admit, server.getRouter());
  }

  private async admit({ method, headers: given, ip = '' }: Request): Promise<void> {
    if (method !== 'GET' && method !== 'HEAD')
      throw new ApiError(405, 'MethodNotAllowed', `${method} is not allowed here`, { Allow: 'GET, HEAD' });
    await this.operators.admit(given.authorization, ip).catch((error: unknown) => {
      throw error instanceof Unauthorized
        ? new ApiError(401, error.type, error.message, CHALLENGE_HEADERS)
        : error;
    });
  }
}
