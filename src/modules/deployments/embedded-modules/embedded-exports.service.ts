import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { JobListeners } from '../../../platform/callbacks/listeners.js';
import { Database } from '../../../platform/database/database.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import type { RateLimit } from '../../../platform/throttle/rate-limit.js';
import { RateLimits } from '../../../platform/throttle/rate-limits.js';
import { exportEntry } from '../../devices/device-exports/export-entry.js';
import { EMBEDDED_EXPORT } from './embedded-export.job.js';
import type { EmbeddedDeploymentExport } from './embedded-export.schemas.js';
import { EmbeddedExportsRepository } from './embedded-exports.repository.js';
import { optionsOf, recipeOf } from './module-metadata.js';

const BODY = 'embeddedDeploymentExport';
/** Maximum number of modules per export. */
export const MAX_MODULES = 100;
/** Rate limit of exports per application and minute. */
const MAX_EXPORTS = 30;

/** Accepts exports of embedded bundles. */
@Injectable()
export class EmbeddedExportsService {
  private readonly rate: RateLimit;

  constructor(
    private readonly exports: EmbeddedExportsRepository,
    private readonly listeners: JobListeners,
    private readonly jobs: JobsService,
    private readonly database: Database,
    private readonly config: Config,
    limits: RateLimits,
  ) {
    const refusal = 'Too many exports of modules of this application';
    this.rate = limits.limit('embedded:export', { points: MAX_EXPORTS, duration: 60 }, refusal);
  }

  /** Exports the module of one device or of all devices with a desired bundle. */
  async export(
    application: ApplicationAccess,
    { email, callbackUrl, gzip = false, ...asked }: EmbeddedDeploymentExport,
    by: Author,
  ): Promise<JobEnqueuedResult> {
    const { embeddedDeploymentId, deviceId, ...options } = asked;
    const meant = {
      applicationId: application.id,
      embeddedDeploymentId: embeddedDeploymentId?.toLowerCase(),
      deviceId: deviceId?.toLowerCase(),
    };
    this.listeners.check({ email, callbackUrl }, BODY);
    const [first, ...others] = await this.exports.find(meant, MAX_MODULES + 1);
    if (!first) throw new NotFound('Embedded deployment');
    if (others.length >= MAX_MODULES)
      throw new ValidationError(
        `${BODY}.deviceId or ${BODY}.embeddedDeploymentId is required: more than ${MAX_MODULES} devices have a bundle`,
      );
    await this.rate.consume(application.id);
    const isNamed = (meant.embeddedDeploymentId ?? meant.deviceId) !== undefined;
    const { deviceName: name, applicationName } = first;
    const device = isNamed ? { id: first.deviceId, name } : undefined;
    const recipe = recipeOf(optionsOf(options, this.config.TOPIC_PREFIX));
    const heard = this.listeners.resolveOptional({ email, callbackUrl }, by, BODY);
    const task = { ...meant, device, recipe, gzip, listeners: heard };
    return this.database.transaction(async (transaction) => {
      await writeEntry(transaction.manager, by, exportEntry(application, { applicationName, device }));
      const jobId = await this.jobs.enqueue(transaction, EMBEDDED_EXPORT, task, by);
      return Object.assign(new JobEnqueuedResult(), { jobId });
    });
  }
}
