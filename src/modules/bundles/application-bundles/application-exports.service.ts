import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { BUNDLE_OPTIONS } from '../../../platform/bundles/bundled.js';
import { JobListeners } from '../../../platform/callbacks/listeners.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { newId } from '../../../platform/repositories/resource.js';
import { Reply } from '../../../platform/responses/stored-resources.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { exportEntry } from '../../devices/device-exports/export-entry.js';
import { ExportTurnsRepository } from '../../devices/device-exports/export-turns.repository.js';
import { APPLICATION_EXPORT, EXPORT_BODY as BODY, type ApplicationExport } from './application-export.job.js';
import type { ApplicationExportPost, ApplicationExportResult } from './application-export.schemas.js';
import type { CommitTarget } from './bundle-commits.js';
import { BundleExporter, type BundleRequest } from './bundle-exporter.js';
import { BundleRepositories } from './bundle-repositories.js';
import { BundleRowsRepository } from './bundle-rows.repository.js';

/** Rate-limit key of export jobs of an application. */
const RATE_LIMIT_KEY = 'application';
/** An export that takes longer continues as a job, as does one that exceeds the concurrency limit of this process. */
const SYNC_TIMEOUT_MS = 5_000;
const MAX_CONCURRENT = 2;

/** Accepts exports of applications. */
@Injectable()
export class ApplicationExportsService {
  private running = 0;

  constructor(
    private readonly exporter: BundleExporter,
    private readonly repositories: BundleRepositories,
    private readonly rows: BundleRowsRepository,
    private readonly turns: ExportTurnsRepository,
    private readonly listeners: JobListeners,
    private readonly jobs: JobsService,
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** Exports a small application immediately, a larger one as a job. */
  async export(
    application: ApplicationAccess,
    body: ApplicationExportPost,
    by: Author,
  ): Promise<ApplicationExportResult | Reply<JobEnqueuedResult>> {
    this.listeners.check(body, BODY);
    const options = BUNDLE_OPTIONS.filter((option) => body[option]);
    const asked = { applicationId: application.id, options };
    const repository = body.exportType === 'repo' ? await this.repositoryOf(application.id, body) : undefined;
    const url = body.forceJob || repository ? undefined : await this.exportNow(application, asked, by);
    if (url !== undefined) return { url };
    return new Reply(202, await this.enqueue(application, { ...asked, repository }, body, by));
  }

  private async repositoryOf(applicationId: string, body: ApplicationExportPost): Promise<CommitTarget> {
    const asked = await this.repositories.validate(applicationId, body, BODY);
    return { ...asked, commitMessage: body.repo?.commitMessage };
  }

  /** Returns the link to a bundle created immediately, or `undefined` if the export needs a job. */
  private async exportNow(
    application: ApplicationAccess,
    asked: BundleRequest,
    by: Author,
  ): Promise<string | undefined> {
    if (this.running >= MAX_CONCURRENT) return undefined;
    this.running += 1;
    const signal = AbortSignal.timeout(SYNC_TIMEOUT_MS);
    try {
      if (!(await this.exporter.isSmall(asked, this.config.SMALL_APPLICATION))) return undefined;
      const watch = { signal, progress: () => Promise.resolve() };
      const { url } = await this.exporter.export(asked, `exports/${newId()}.zip`, watch);
      await this.database.transaction((transaction) => this.log(application, by, transaction));
      return url;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      this.running -= 1;
    }
  }

  private async enqueue(
    application: ApplicationAccess,
    asked: BundleRequest & Pick<ApplicationExport, 'repository'>,
    body: ApplicationExportPost,
    by: Author,
  ): Promise<JobEnqueuedResult> {
    const listeners = this.listeners.resolveOptional(body, by, BODY);
    return this.database.transaction(async (transaction) => {
      await this.turns.acquire(application.id, RATE_LIMIT_KEY, this.config.EXPORT_INTERVAL, transaction);
      const name = await this.log(application, by, transaction);
      const task = { ...asked, name, listeners };
      const jobId = await this.jobs.enqueue(transaction, APPLICATION_EXPORT, task, by);
      return Object.assign(new JobEnqueuedResult(), { jobId });
    });
  }

  /** Writes the audit log entry and returns the name of the application. */
  private async log(application: ApplicationAccess, by: Author, transaction: Transaction): Promise<string> {
    const { name } = await this.rows.linkFacts(application.id, transaction);
    await writeEntry(transaction.manager, by, exportEntry(application, { applicationName: name }));
    return name;
  }
}
