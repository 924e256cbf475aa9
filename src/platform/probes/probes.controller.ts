import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import {
  HealthCheckService,
  HealthIndicatorService,
  type HealthCheckResult,
  type HealthIndicatorResult,
} from '@nestjs/terminus';
import type { Response } from 'express';
import { withTimeout } from '../../lib/async/with-timeout.js';
import { BLOBS, type Blobs } from '../../lib/blobs/blobs.js';
import { Config } from '../../config/config.js';
import { Database } from '../database/database.js';
import { NotFound } from '../../lib/errors/errors.js';
import { REDIS_URL, pingRedis } from '../jobs/redis.js';
import { Metrics } from './metrics.js';
import { PRIVATE_SERVERS, type PrivateServer } from '../../lib/processes/server-supervisor.js';
import { GracefulShutdown } from '../server/graceful-shutdown.js';
import { Unlisted } from '../server/unlisted.js';

const CHECK_TIMEOUT_MS = 1_500;

/** Endpoints for load balancers and monitoring. */
@Controller()
export class ProbesController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly database: Database,
    private readonly indicators: HealthIndicatorService,
    private readonly metrics: Metrics,
    private readonly gracefulShutdown: GracefulShutdown,
    @Inject(BLOBS) private readonly blobs: Blobs,
    @Inject(REDIS_URL) private readonly redisUrl: string,
    @Inject(PRIVATE_SERVERS) private readonly servers: readonly PrivateServer[],
    @Inject(Config) private readonly config: Config,
  ) {}

  /** Liveness: the process and its private servers are running. */
  @Get('health')
  @Unlisted()
  alive(@Res({ passthrough: true }) response: Response): { status: 'ok' | 'error' } {
    const isAlive = this.servers.every(({ isRunning }) => isRunning);
    response.status(isAlive ? 200 : 503);
    return { status: isAlive ? 'ok' : 'error' };
  }

  /**
   * Readiness: PostgreSQL responds and accepts writes, and the process is not shutting down. Redis and the store of files
   * are reported but not required: without Redis, jobs wait; without the store, only requests for files fail.
   */
  @Get('health/ready')
  @Unlisted()
  async ready(@Res({ passthrough: true }) response: Response): Promise<object> {
    if (this.gracefulShutdown.isDraining) {
      response.status(503);
      return { status: 'shutting_down' };
    }
    let readOnly: true | undefined;
    const writes = async (): Promise<void> => {
      if (!(await this.database.isReadOnly())) return;
      readOnly = true;
      throw new Error('The database does not accept writes');
    };
    const database = this.health
      .check([() => this.indicators.check('database').attempt(writes).withTimeout(CHECK_TIMEOUT_MS)])
      .catch((error: { getResponse(): unknown }) => error.getResponse() as HealthCheckResult);
    const [result, redis, files] = await Promise.all([database, this.redis(), this.files()]);
    response.status(result.status === 'ok' ? 200 : 503);
    const { status = 'down' } = result.details.database ?? {};
    return { status: result.status, details: { database: { status, readOnly }, ...redis, ...files } };
  }

  /** Returns the metrics as Prometheus text. On the public port, only if `METRICS_PUBLIC` is set. */
  @Get('metrics')
  @Unlisted()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  scrape(): Promise<string> {
    if (!this.config.METRICS_PUBLIC) throw new NotFound('This path');
    return this.metrics.registry.metrics();
  }

  private async files(): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check('files');
    const isUp = await withTimeout(
      CHECK_TIMEOUT_MS,
      this.blobs.check().then(
        () => true,
        () => false,
      ),
    );
    return isUp ? indicator.up() : indicator.down();
  }

  private async redis(): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check('redis');
    const answers = await pingRedis(this.redisUrl).catch(() => false);
    return answers ? indicator.up() : indicator.down();
  }
}
