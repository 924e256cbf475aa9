import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { JobListeners } from '../../../platform/callbacks/listeners.js';
import { Database } from '../../../platform/database/database.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import type { JobDefinition } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import type { RateLimit } from '../../../platform/throttle/rate-limit.js';
import { RateLimits } from '../../../platform/throttle/rate-limits.js';
import { exportEntry } from '../../devices/device-exports/export-entry.js';
import { FIELD } from './archive-config.rules.js';
import { requestedDays, DAY, dayOf, dayText, isOldEnough, type DayRange } from './archive-days.js';
import { ARCHIVE_BACKFILL, ARCHIVE_DAY, ARCHIVE_EVENTS, ARCHIVE_TABLES } from './archive.jobs.js';
import { EventSelectionRepository } from '../../events/events/event-selection.repository.js';
import {
  ArchivedApplicationsRepository,
  type ArchivedApplication,
} from './archived-applications.repository.js';

const HOUR = 3_600;
const MAX_ARCHIVES = 100;
/** Maximum age of data that devices report. */
const MAX_REPORT_AGE_MS = 31 * DAY;

/** Accepts requests for archives and enqueues their jobs. */
@Injectable()
export class ArchivesService {
  private readonly rateLimit: RateLimit;

  constructor(
    private readonly applications: ArchivedApplicationsRepository,
    private readonly events: EventSelectionRepository,
    private readonly listeners: JobListeners,
    private readonly jobs: JobsService,
    private readonly database: Database,
    limits: RateLimits,
  ) {
    const rate = { points: MAX_ARCHIVES, duration: HOUR };
    this.rateLimit = limits.limit('archives', rate, 'Too many archives of the application were requested');
  }

  /** Archives the UTC day that contains a time. */
  async archiveDay(application: ApplicationAccess, date: Date, by: Author): Promise<JobEnqueuedResult> {
    const archived = await this.findApplication(application);
    const now = Date.now();
    const day = dayOf(date.getTime());
    const days = requestedDays(now, archived.keptSeconds);
    if (!isOldEnough(date.getTime(), now) || day < days.first)
      throw new ValidationError(`date must be within a day ${windowText(days, archived)}`);
    return this.enqueue(application, archived, ARCHIVE_DAY, { days: { first: day, last: day } }, by);
  }

  /** Archives every eligible day for which there can be data. */
  async backfill(application: ApplicationAccess, by: Author): Promise<JobEnqueuedResult> {
    const archived = await this.findApplication(application);
    const { first, last } = requestedDays(Date.now(), archived.keptSeconds);
    const earliest = dayOf(archived.creationDate.getTime() - MAX_REPORT_AGE_MS);
    const days = { first: Math.min(Math.max(first, earliest), last + DAY), last };
    return this.enqueue(application, archived, ARCHIVE_BACKFILL, { days }, by);
  }

  async archiveEvents(application: ApplicationAccess, by: Author): Promise<JobEnqueuedResult> {
    const archived = await this.findApplication(application);
    return this.enqueue(application, archived, ARCHIVE_EVENTS, await this.events.bound(application.id), by);
  }

  async archiveTables(application: ApplicationAccess, by: Author): Promise<JobEnqueuedResult> {
    return this.enqueue(application, await this.findApplication(application), ARCHIVE_TABLES, {}, by);
  }

  /** Returns an application with archive settings. Throws 400 if it has none. */
  private async findApplication({ id }: ApplicationAccess): Promise<ArchivedApplication> {
    const archived = await this.applications.find(id);
    if (!archived) throw new NotFound('Application');
    if (!archived.archiveConfig) throw new ValidationError(`${FIELD} is required to archive data`);
    return archived;
  }

  private async enqueue<Task extends { applicationId: string; listeners: object }>(
    application: ApplicationAccess,
    { name: applicationName }: ArchivedApplication,
    job: JobDefinition<Task>,
    asked: NoInfer<Omit<Task, 'applicationId' | 'listeners'>>,
    by: Author,
  ): Promise<JobEnqueuedResult> {
    await this.rateLimit.consume(application.id);
    const listeners = this.listeners.resolveOptional({}, by, '');
    const task = { ...asked, applicationId: application.id, listeners } as Task;
    return this.database.transaction(async (transaction) => {
      await writeEntry(transaction.manager, by, exportEntry(application, { applicationName }));
      const jobId = await this.jobs.enqueue(transaction, job, task, by);
      return Object.assign(new JobEnqueuedResult(), { jobId });
    });
  }
}

/** Describes the range of eligible days for error messages. */
function windowText({ first, last }: DayRange, { keptSeconds }: ArchivedApplication): string {
  const rule = `that is older than 31 days and whose data is all still stored; the organization keeps data for ${keptSeconds / 86_400} days`;
  return last < first ? `${rule}: there is no such day` : `${rule}: ${dayText(first)} to ${dayText(last)}`;
}
