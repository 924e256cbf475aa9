import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { removeWorkFolders } from '../../../lib/files/work-folder.js';
import { JobAuthor, type AuthorSnapshot } from '../../../platform/audit/author.js';
import { loggedListeners, type Listeners } from '../../../platform/callbacks/listeners.js';
import { Outcomes, type Outcome } from '../../../platform/callbacks/outcomes.js';
import { ApiError } from '../../../lib/errors/errors.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { ApplicationImportsRepository } from './application-imports.repository.js';
import type { ImportResult } from './application-import.entity.js';
import { BundleSources } from './fetched/bundle-sources.js';
import type { ImportTask } from './asked/import-task.js';
import { Importer, importsFolder } from './importer.js';

/** Payload of an import job: the import and its requester. */
export interface ImportJob extends ImportTask {
  by: AuthorSnapshot;
  listeners: Listeners;
}

/** URLs may contain secrets, so the payload is deleted after the run and only the result is kept. */
export const APPLICATION_IMPORT = defineJob<ImportJob>('application.import', {
  timeoutMs: 6 * 60 * 60_000,
  erasesPayload: true,
  notifies: true,
  log: (task) => ({
    // A clone is logged by its source, an import by its target.
    applicationId: isClone(task) ? task.source.applicationId : task.application.id,
    operation: operationOf(task),
    resourceType: 'application',
    resourceId: task.application.id,
    input: inputOf(task),
  }),
});

/** Shows only the origin of the bundle URL, because the rest may contain a secret. */
const inputOf = ({ isNew, application: { ownerId, ownerType }, source, listeners }: ImportJob): object => ({
  ...loggedListeners(listeners),
  ...(isNew ? { ownerId, ownerType } : {}),
  ...(source.type === 'importUrl' ? { fileUrl: `${new URL(source.url).origin}/` } : {}),
});

const isClone = (task: ImportTask): task is ImportTask & { source: { type: 'fromApplication' } } =>
  task.isNew && task.source.type === 'fromApplication';

function operationOf(task: ImportTask): string {
  if (task.templateId) return 'application.applyTemplate';
  if (isClone(task)) return 'application.clone';
  return task.isNew ? 'applications.import' : 'application.import';
}

/** Job that runs large imports. */
@Injectable()
export class ApplicationImportJob {
  constructor(
    private readonly importer: Importer,
    private readonly sources: BundleSources,
    private readonly imports: ApplicationImportsRepository,
    private readonly outcomes: Outcomes,
    private readonly config: Config,
  ) {}

  @OnJob(APPLICATION_IMPORT)
  async run({ by, listeners, ...task }: ImportJob, job: JobContext): Promise<object | undefined> {
    const type = operationOf(task);
    const title = isClone(task) ? 'The clone of an application' : 'The import of an application';
    const { id: applicationId } = task.application;
    const about = { type, title, applicationId, listeners };
    const attempt = job.permanentFailure ? await this.handleWorkerDeath(task, job) : job;
    try {
      const output = await this.outcomes.runAndNotify(about, attempt, () =>
        this.import(task, new JobAuthor(by), attempt),
      );
      await this.discard(task);
      return output;
    } catch (error) {
      if (job.isLastAttempt || isFinal(error)) await this.discard(task);
      throw error;
    }
  }

  /** Deletes the bundle of an import that has ended, and files of attempts whose worker died. */
  private async discard(task: ImportTask): Promise<void> {
    await this.sources.discard(task);
    await removeWorkFolders(importsFolder(this.config), task.id);
  }

  /** Handles a job whose worker died: if the import was completed, reports success; otherwise records the failure. */
  private async handleWorkerDeath(task: ImportTask, job: JobContext): Promise<JobContext> {
    if (await this.imports.completed(task.id)) return { ...job, permanentFailure: undefined };
    if (!task.isNew) await this.end(task, undefined);
    return job;
  }

  private async import(task: ImportTask, by: JobAuthor, job: JobContext): Promise<Outcome> {
    if (!task.isNew) await this.imports.begin(task.id);
    try {
      const { signal } = job;
      const progress = (status: string, completed: number, total: number) =>
        job.progress({ status, completed, total });
      const result = await this.importer.run(task, by, { signal, progress, isShort: false });
      if (!task.isNew) await this.imports.end(task.id, 'completed', result);
      return toOutcome(task, result);
    } catch (error) {
      // Another attempt presumed dead may have completed the import and deleted the files that this attempt reads.
      const done = await this.imports.completed(task.id);
      if (done) return toOutcome(task, done);
      const reason = isFinal(error) ? error : undefined;
      if (!task.isNew && (reason || job.isLastAttempt)) await this.end(task, reason);
      throw error;
    }
  }

  private async end({ id }: ImportTask, error: ApiError | undefined): Promise<void> {
    if (error) await this.imports.end(id, 'errored', toResult(error));
    else
      await this.imports.end(id, 'failed', {
        error: { name: 'Error', message: 'The import failed unexpectedly' },
      });
  }
}

/** Checks whether a retry would fail the same way. */
const isFinal = (error: unknown): error is ApiError => error instanceof ApiError && error.status < 500;

/** Converts an error to the result shown in the import log. */
export const toResult = ({ type: name, message, validationErrors }: ApiError): ImportResult => ({
  error: { name, message },
  ...(validationErrors ? { validationErrors } : {}),
});

function toOutcome(task: ImportTask, { validationErrors = [], dryRunResults }: ImportResult): Outcome {
  const { isNew, application } = task;
  const faults = validationErrors.map(
    ({ type, name, message }) => `${type}${name === undefined ? '' : ` "${name}"`}: ${message}`,
  );
  const lines = [
    completionText(task),
    ...(faults.length > 0 ? [`The following was omitted or changed:\n${faults.join('\n')}`] : []),
  ];
  return {
    data: { validationErrors, ...(dryRunResults ? { dryRunResults } : {}) },
    output: { ...(isNew ? { applicationId: application.id } : {}), validationErrors },
    text: lines.join('\n\n'),
  };
}

function completionText({ dryRun, isNew, application: { id } }: ImportTask): string {
  if (dryRun) return 'This was a dry run: nothing was written.';
  return isNew ? `The application ${id} was created.` : `The import was written to the application ${id}.`;
}
