import { Injectable } from '@nestjs/common';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { JobListeners } from '../../../platform/callbacks/listeners.js';
import { Database } from '../../../platform/database/database.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import type { RateLimit } from '../../../platform/throttle/rate-limit.js';
import { RateLimits } from '../../../platform/throttle/rate-limits.js';
import { InstancesRepository } from '../instances/instances.repository.js';
import { DAY_MS, stepsOf } from '../../devices/usage/usage-window.js';
import { USAGE_REPORT } from './usage-report.job.js';
import type { UsageReportPost } from './usage-report.resource.js';

const BODY = 'instanceReportOptionsPost';
/** Limited because each report reads all counts of an instance. */
const REPORT_RATE = { points: 10, duration: 3_600 };

/** Enqueues usage reports of instances. */
@Injectable()
export class UsageReportsService {
  private readonly reports: RateLimit;

  constructor(
    private readonly instances: InstancesRepository,
    private readonly listeners: JobListeners,
    private readonly jobs: JobsService,
    private readonly database: Database,
    limits: RateLimits,
  ) {
    this.reports = limits.limit('usage:reports', REPORT_RATE, 'Too many reports of the instance');
  }

  async generate(instanceId: string, post: UsageReportPost, by: Author): Promise<JobEnqueuedResult> {
    const { dateGroupBy = 'month', resourceGroupBy = 'organization', includeSandbox = false } = post;
    const { start, end } = stepsOf({ start: timeOf(post.start), end: timeOf(post.end) }, DAY_MS);
    const listeners = this.listeners.resolve(post, by, BODY);
    await this.reports.consume(instanceId);
    const name = (await this.instances.obtain(instanceId)).text('name')!;
    const report = {
      instanceId,
      name,
      start: start.getTime(),
      end: end.getTime(),
      period: dateGroupBy,
      subject: resourceGroupBy,
      includeSandbox,
      listeners,
    };
    return this.database.transaction(async (transaction) => {
      await writeEntry(transaction.manager, by, { instance: { id: instanceId } });
      const jobId = await this.jobs.enqueue(transaction, USAGE_REPORT, report, by);
      return Object.assign(new JobEnqueuedResult(), { jobId });
    });
  }
}

const timeOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text);
