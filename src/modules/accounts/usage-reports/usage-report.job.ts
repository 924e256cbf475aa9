import { Injectable } from '@nestjs/common';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import type { Listeners } from '../../../platform/callbacks/listeners.js';
import { Outcomes, type Outcome } from '../../../platform/callbacks/outcomes.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { LINK_SECONDS, linkOutcome } from '../../devices/device-exports/export-link.js';
import { pagesOf, streamOf } from '../../devices/device-exports/pages.js';
import { HistoricalSummariesRepository } from '../../devices/usage/historical-summaries.repository.js';
import type { UsedResource, UsedResourceType } from '../../devices/usage/used-resources.columns.js';
import { DAY_MS, stepsOf } from '../../devices/usage/usage-window.js';
import { UsageRepository } from '../../devices/usage/usage.repository.js';
import { UsageService } from '../../devices/usage/usage.service.js';
import type { SUBJECTS } from './usage-report.resource.js';
import { REPORT_HEADER, reportLines, type ReportPeriod } from './usage-report.rules.js';

/** Usage report of an instance. */
export interface UsageReport {
  instanceId: string;
  /** Display name of the instance. */
  name: string;
  /** Start of the report, in milliseconds since 1970. */
  start: number;
  end: number;
  period: ReportPeriod;
  subject: (typeof SUBJECTS)[number];
  includeSandbox: boolean;
  listeners: Listeners;
}

export const USAGE_REPORT = defineJob<UsageReport>('instance.generateReport', {
  timeoutMs: 60 * 60_000,
  erasesPayload: true,
  notifies: true,
});

const PAGE = 100;
/** Sorts after every ID. */
const NO_ID = 'g';

/** Writes usage reports of instances from stored counts only. */
@Injectable()
export class UsageReportJob {
  constructor(
    private readonly resources: HistoricalSummariesRepository,
    private readonly rows: UsageRepository,
    private readonly usage: UsageService,
    private readonly blobs: TemporaryBlobs,
    private readonly outcomes: Outcomes,
  ) {}

  @OnJob(USAGE_REPORT)
  async run(report: UsageReport, job: JobContext): Promise<void> {
    const { instanceId, name, listeners } = report;
    const about = {
      type: USAGE_REPORT.name,
      title: `The usage report of ${name}`,
      instanceId,
      listeners,
    };
    await this.outcomes.runAndNotify(about, job, () => this.write(report, job));
  }

  private async write(report: UsageReport, job: JobContext): Promise<Outcome> {
    const key = `exports/${job.id}.csv`;
    await this.blobs.put(key, streamOf(this.lines(report, job)), { contentType: 'text/csv' });
    return linkOutcome(await this.blobs.link(key, 'usage.csv', LINK_SECONDS));
  }

  private async *lines(report: UsageReport, job: JobContext): AsyncGenerator<string> {
    yield REPORT_HEADER;
    const { instanceId, subject, includeSandbox } = report;
    const types: UsedResourceType[] =
      subject === 'organization' && includeSandbox ? ['organization', 'user'] : [subject];
    for (const type of types) {
      const find = (after: string) =>
        this.resources.used(instanceId, type, { after, before: NO_ID, most: PAGE });
      for await (const page of pagesOf(find, job)) {
        const shown = page.filter(({ ownerType }) => includeSandbox || ownerType === 'organization');
        yield* this.linesOf(shown, report);
      }
    }
  }

  private async *linesOf(
    subjects: readonly UsedResource[],
    { start, end, subject, period }: UsageReport,
  ): AsyncGenerator<string> {
    if (subjects.length === 0) return;
    const kind = subject === 'application' ? 'application' : 'owner';
    const of = { kind, ids: subjects.map(({ id }) => id) } as const;
    const days = stepsOf({ start: new Date(start), end: new Date(end) }, DAY_MS);
    const devices = await this.usage.deviceDays(of, days);
    const payloads = await this.rows.payloadDays(of, days);
    for (const [i, one] of subjects.entries())
      yield reportLines(
        one,
        devices[i]!,
        payloads.filter(({ holderId }) => holderId === one.id),
        period,
      );
  }
}
