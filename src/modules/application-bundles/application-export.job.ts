import { Injectable } from '@nestjs/common';
import { loggedListeners, type Listeners } from '../../platform/callbacks/listeners.js';
import { Outcomes } from '../../platform/callbacks/outcomes.js';
import { defineJob } from '../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../platform/jobs/on-job.js';
import { linkOutcome } from '../device-exports/export-link.js';
import { BundleExporter, type AskedBundle } from './bundle-exporter.js';

/** An export of an application. */
export interface ApplicationExport extends AskedBundle {
  /** The name that the application had. */
  name: string;
  listeners: Listeners;
}

export const APPLICATION_EXPORT = defineJob<ApplicationExport>('application.export', {
  timeoutMs: 6 * 60 * 60_000,
  forgets: true,
  tells: true,
  log: ({ applicationId, listeners }) => ({
    applicationId,
    operation: 'application.export',
    resourceType: 'application',
    resourceId: applicationId,
    input: loggedListeners(listeners),
  }),
});

/** Exports applications. */
@Injectable()
export class ApplicationExportJob {
  constructor(
    private readonly exporter: BundleExporter,
    private readonly outcomes: Outcomes,
  ) {}

  @OnJob(APPLICATION_EXPORT)
  async run(task: ApplicationExport, job: JobContext): Promise<void> {
    const { applicationId, name, listeners } = task;
    const title = `The export of the application ${name}`;
    const about = { type: APPLICATION_EXPORT.name, title, applicationId, listeners };
    const watch = {
      signal: job.signal,
      progress: (completed: number, total: number) =>
        job.progress({ completed, total, status: 'Writing the bundle' }),
    };
    await this.outcomes.tellOf(about, job, async () =>
      linkOutcome(await this.exporter.export(task, `exports/${job.id}.zip`, watch)),
    );
  }
}
