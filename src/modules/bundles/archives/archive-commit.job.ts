import { Injectable } from '@nestjs/common';
import { BUNDLE_OPTIONS } from '../../../platform/bundles/bundled.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { BundleCommits } from '../application-bundles/bundle-commits.js';
import { BundleRepositories } from '../application-bundles/bundle-repositories.js';
import { FIELD } from './archive-config.rules.js';
import { ArchivedApplicationsRepository } from './archived-applications.repository.js';

/** Path of the commit options in error messages. */
export const COMMIT_AT = `${FIELD}.applicationExportOptions`;

/** Appears in the application's job log under the operation that it performs. */
export const ARCHIVE_COMMIT = defineJob<{ applicationId: string }>('application.dailyCommit', {
  timeoutMs: 6 * 60 * 60_000,
  log: ({ applicationId }) => ({
    applicationId,
    operation: 'application.export',
    resourceType: 'application',
    resourceId: applicationId,
    input: {},
  }),
});

/** Commits applications to repositories, using the settings in effect when the job runs. */
@Injectable()
export class ArchiveCommitJob {
  constructor(
    private readonly applications: ArchivedApplicationsRepository,
    private readonly repositories: BundleRepositories,
    private readonly commits: BundleCommits,
  ) {}

  @OnJob(ARCHIVE_COMMIT)
  async run({ applicationId }: { applicationId: string }, job: JobContext): Promise<object | undefined> {
    const application = await this.applications.find(applicationId);
    const { includeApplicationExport, applicationExportOptions: asked } = application?.archiveConfig ?? {};
    if (!application || !includeApplicationExport || !asked) return undefined;
    const options = BUNDLE_OPTIONS.filter((option) => asked[option]);
    const place = await this.repositories.validate(applicationId, asked, COMMIT_AT);
    const repository = { ...place, commitMessage: asked.repo?.commitMessage };
    const watch = {
      signal: job.signal,
      progress: (completed: number, total: number) =>
        job.progress({ completed, total, status: 'Writing the bundle' }),
    };
    const bundle = { applicationId, name: application.name, options, repository, fieldPrefix: COMMIT_AT };
    const { commit, noChanges, repoUrl } = await this.commits.commit(bundle, job.id, watch);
    return { commit, noChanges, repoUrl };
  }
}
