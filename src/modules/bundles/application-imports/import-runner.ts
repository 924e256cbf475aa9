import { Injectable } from '@nestjs/common';
import type { Author } from '../../../platform/audit/author.js';
import { JobListeners, type Listeners } from '../../../platform/callbacks/listeners.js';
import { Database } from '../../../platform/database/database.js';
import { ApiError } from '../../../lib/errors/errors.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { Reply } from '../../../platform/responses/stored-resources.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import type { ImportResult } from './application-import.entity.js';
import { ApplicationImportsRepository } from './application-imports.repository.js';
import { BundleSources } from './fetched/bundle-sources.js';
import { APPLICATION_IMPORT, toResult } from './import.job.js';
import { loggedOptions, ImportTooLarge, type ImportTask } from './asked/import-task.js';
import { ImportTurnsRepository } from './import-turns.repository.js';
import { Importer } from './importer.js';

/** An import that takes longer continues as a job, as does one that exceeds the concurrency limit of this process. */
const SYNC_TIMEOUT_MS = 5_000;
const MAX_CONCURRENT = 2;

/** Runs imports one at a time per owner: small ones immediately, larger ones as jobs. */
@Injectable()
export class ImportRunner {
  private running = 0;

  constructor(
    private readonly importer: Importer,
    private readonly sources: BundleSources,
    private readonly imports: ApplicationImportsRepository,
    private readonly turns: ImportTurnsRepository,
    private readonly listeners: JobListeners,
    private readonly jobs: JobsService,
    private readonly database: Database,
  ) {}

  /** Returns the result of an import, or the job that runs it. */
  async run(
    task: ImportTask,
    listeners: Listeners,
    isJob: boolean,
    by: Author,
  ): Promise<ImportResult | Reply<JobEnqueuedResult>> {
    const { id } = task;
    const { ownerId } = task.application;
    let isHandedOn = false;
    this.sources.check(task);
    try {
      await this.turns.acquire(ownerId, id);
      const result = isJob ? undefined : await this.runNow(task, by);
      if (result) return result;
      const reply = await this.enqueue(task, listeners, by);
      isHandedOn = true;
      return reply;
    } finally {
      // If this fails, the lease expires on its own.
      if (!isHandedOn) await this.turns.release(ownerId, id).catch(() => undefined);
      if (!isHandedOn) await this.sources.discard(task);
    }
  }

  /** Runs the validation of an import if it is small. Throws the first error. */
  async validate(task: ImportTask, by: Author): Promise<void> {
    await this.runNow(task, by);
  }

  /** Returns the result of a small import, or `undefined` if it needs a job. */
  private async runNow(task: ImportTask, by: Author): Promise<ImportResult | undefined> {
    if (this.running >= MAX_CONCURRENT) return undefined;
    this.running += 1;
    const signal = AbortSignal.timeout(SYNC_TIMEOUT_MS);
    try {
      const watch = { signal, progress: () => Promise.resolve(), isShort: true };
      const result = await this.importer.run(task, by, watch);
      await this.log(task, 'completed', result, by);
      return result;
    } catch (error) {
      if (signal.aborted || error instanceof ImportTooLarge) return undefined;
      if (error instanceof ApiError && error.status < 500)
        await this.log(task, 'errored', toResult(error), by);
      throw error;
    } finally {
      this.running -= 1;
    }
  }

  /** Records the result of an import into an application, unless it was recorded in the transaction that wrote it. */
  private async log(
    task: ImportTask,
    status: 'completed' | 'errored',
    result: ImportResult,
    by: Author,
  ): Promise<void> {
    if (task.isNew) return;
    await this.imports.add(task.id, task.application.id, undefined, loggedOptions(task), by, this.database);
    await this.imports.end(task.id, status, result);
  }

  private async enqueue(task: ImportTask, asked: Listeners, by: Author): Promise<Reply<JobEnqueuedResult>> {
    const { id, application, isNew } = task;
    const listeners = this.listeners.resolveOptional(asked, by, isNew ? 'import' : 'options');
    const payload = { ...task, by: by.snapshot(), listeners };
    const jobId = await this.database.transaction(async (transaction) => {
      const made = await this.jobs.enqueue(transaction, APPLICATION_IMPORT, payload, by);
      await this.turns.transfer(application.ownerId, id, made, transaction);
      if (!isNew) await this.imports.add(id, application.id, made, loggedOptions(task), by, transaction);
      return made;
    });
    return new Reply(202, Object.assign(new JobEnqueuedResult(), { jobId }));
  }
}
