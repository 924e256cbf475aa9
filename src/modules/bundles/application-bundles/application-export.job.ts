import { Injectable } from '@nestjs/common';
import { loggedListeners, type Listeners } from '../../../platform/callbacks/listeners.js';
import { Outcomes, type Outcome } from '../../../platform/callbacks/outcomes.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { linkOutcome } from '../../devices/device-exports/export-link.js';
import { BundleCommits, type Committed, type CommitTarget } from './bundle-commits.js';
import { BundleExporter, type BundleRequest } from './bundle-exporter.js';

/** Name of the request body in error messages. */
export const EXPORT_BODY = 'applicationExport';

/** Payload of an export job. */
export interface ApplicationExport extends BundleRequest {
  /** Name of the application when the export was requested. */
  name: string;
  /** Repository to commit to; if absent, a zip file is created. */
  repository?: CommitTarget;
  listeners: Listeners;
}

export const APPLICATION_EXPORT = defineJob<ApplicationExport>('application.export', {
  timeoutMs: 6 * 60 * 60_000,
  erasesPayload: true,
  notifies: true,
  log: ({ applicationId, listeners }) => ({
    applicationId,
    operation: 'application.export',
    resourceType: 'application',
    resourceId: applicationId,
    input: loggedListeners(listeners),
  }),
});

/** Job that exports applications. */
@Injectable()
export class ApplicationExportJob {
  constructor(
    private readonly exporter: BundleExporter,
    private readonly commits: BundleCommits,
    private readonly outcomes: Outcomes,
  ) {}

  @OnJob(APPLICATION_EXPORT)
  async run(task: ApplicationExport, job: JobContext): Promise<object | undefined> {
    const { applicationId, name, listeners } = task;
    const title = `The export of the application ${name}`;
    const about = { type: APPLICATION_EXPORT.name, title, applicationId, listeners };
    const watch = {
      signal: job.signal,
      progress: (completed: number, total: number) =>
        job.progress({ completed, total, status: 'Writing the bundle' }),
    };
    return this.outcomes.runAndNotify(about, job, async () => {
      const { repository } = task;
      if (!repository) return linkOutcome(await this.exporter.export(task, `exports/${job.id}.zip`, watch));
      const asked = { ...task, repository, fieldPrefix: EXPORT_BODY };
      return commitOutcome(await this.commits.commit(asked, job.id, watch));
    });
  }
}

function commitOutcome({ commit, branch, repoUrl, noChanges }: Committed): Outcome {
  const done = noChanges
    ? 'There was nothing to commit. The export is identical to'
    : 'The export was committed as';
  const output = { commit, noChanges, repoUrl };
  return {
    data: { ...output, branch },
    output,
    text: `${done} commit ${commit} on branch ${branch} of ${repoUrl}.`,
  };
}
