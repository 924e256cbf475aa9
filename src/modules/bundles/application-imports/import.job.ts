import { Injectable } from '@nestjs/common';
import { JobAuthor, type KeptAuthor } from '../../../platform/audit/author.js';
import { loggedListeners, type Listeners } from '../../../platform/callbacks/listeners.js';
import { Outcomes, type Outcome } from '../../../platform/callbacks/outcomes.js';
import { ApiError } from '../../../lib/errors/errors.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { ApplicationImportsRepository } from './application-imports.repository.js';
import type { ImportResult } from './application-import.entity.js';
import { BundleSources } from './bundle-sources.js';
import type { ImportTask } from './import-task.js';
import { Importer } from './importer.js';

/** An import, and who asked for it. */
export interface ImportJob extends ImportTask {
  by: KeptAuthor;
  listeners: Listeners;
}

/** Its URLs may hold secrets of others, so nothing is kept of it but how it ended. */
export const APPLICATION_IMPORT = defineJob<ImportJob>('application.import', {
  timeoutMs: 6 * 60 * 60_000,
  forgets: true,
  tells: true,
  log: (task) => ({
    // What is copied tells of it, and what is imported into or made.
    applicationId: isClone(task) ? task.source.applicationId : task.application.id,
    operation: operationOf(task),
    resourceType: 'application',
    resourceId: task.application.id,
    input: inputOf(task),
  }),
});

/** Of where a bundle is fetched from its origin is shown: the rest may be a secret. */
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

/** Imports that are long. */
@Injectable()
export class ApplicationImportJob {
  constructor(
    private readonly importer: Importer,
    private readonly sources: BundleSources,
    private readonly imports: ApplicationImportsRepository,
    private readonly outcomes: Outcomes,
  ) {}

  @OnJob(APPLICATION_IMPORT)
  async run({ by, listeners, ...task }: ImportJob, job: JobContext): Promise<object | undefined> {
    const type = operationOf(task);
    const title = isClone(task) ? 'The clone of an application' : 'The import of an application';
    const { id: applicationId } = task.application;
    const about = { type, title, applicationId, listeners };
    const attempt = job.givenUp ? await this.givenUp(task, job) : job;
    try {
      const output = await this.outcomes.tellOf(about, attempt, () =>
        this.import(task, new JobAuthor(by), attempt),
      );
      await this.sources.discard(task);
      return output;
    } catch (error) {
      if (job.last || isFinal(error)) await this.sources.discard(task);
      throw error;
    }
  }

  /** What was done before its worker died is done; else the log has that it was given up. */
  private async givenUp(task: ImportTask, job: JobContext): Promise<JobContext> {
    if (await this.imports.completed(task.id)) return { ...job, givenUp: undefined };
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
      return outcomeOf(task, result);
    } catch (error) {
      // Another attempt that was taken for dead may have done it meanwhile, and have taken away what this one reads.
      const done = await this.imports.completed(task.id);
      if (done) return outcomeOf(task, done);
      const reason = isFinal(error) ? error : undefined;
      if (!task.isNew && (reason || job.last)) await this.end(task, reason);
      throw error;
    }
  }

  private async end({ id }: ImportTask, error: ApiError | undefined): Promise<void> {
    if (error) await this.imports.end(id, 'errored', resultOf(error));
    else
      await this.imports.end(id, 'failed', { error: { name: 'Error', message: 'It failed unexpectedly' } });
  }
}

/** Whether trying again would come to the same. */
const isFinal = (error: unknown): error is ApiError => error instanceof ApiError && error.status < 500;

/** What the log shows of why an import was not done. */
export const resultOf = ({ type: name, message, validationErrors }: ApiError): ImportResult => ({
  error: { name, message },
  ...(validationErrors ? { validationErrors } : {}),
});

function outcomeOf(task: ImportTask, { validationErrors = [], dryRunResults }: ImportResult): Outcome {
  const { isNew, application } = task;
  const faults = validationErrors.map(
    ({ type, name, message }) => `${type}${name === undefined ? '' : ` "${name}"`}: ${message}`,
  );
  const lines = [
    doneOf(task),
    ...(faults.length > 0 ? [`What is not as it was:\n${faults.join('\n')}`] : []),
  ];
  return {
    data: { validationErrors, ...(dryRunResults ? { dryRunResults } : {}) },
    output: { ...(isNew ? { applicationId: application.id } : {}), validationErrors },
    text: lines.join('\n\n'),
  };
}

function doneOf({ dryRun, isNew, application: { id } }: ImportTask): string {
  if (dryRun) return 'Nothing was written, as you asked.';
  return isNew ? `The application ${id} is there.` : `It is in the application ${id}.`;
}
