import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { Listeners } from '../../../platform/callbacks/listeners.js';
import { Outcomes, type Outcome, type Task } from '../../../platform/callbacks/outcomes.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import { defineJob, type LoggedJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import type { EventsBound } from '../../events/events/event-selection.repository.js';
import { requestedDays, DAY, dayText, nextDueDay, type DayRange } from './archive-days.js';
import {
  ArchivedApplicationsRepository,
  type ArchivedApplication,
} from './archived-applications.repository.js';
import { FIELD } from './archive-config.rules.js';
import { Archiver, type ArchiveWork } from './archiver.js';
import { ArchiveSchedulesRepository } from './archive-schedules.repository.js';
import { ArchiveTargets } from './archive-target.js';

/** An archive requested for an application, with the listeners to notify. */
interface ArchiveJobRequest {
  applicationId: string;
  listeners: Listeners;
}

interface ArchiveDaysRequest extends ArchiveJobRequest {
  days: DayRange;
}

/** Number of days that earlier attempts have archived. */
interface ArchiveState {
  archived: number;
}

/** Returns the options shared by the jobs of an operation. */
const optionsOf = (operation: string, input: (task: { days?: DayRange }) => object = () => ({})) => ({
  timeoutMs: 6 * 60 * 60_000,
  notifies: true,
  log: ({ applicationId, ...task }: { applicationId: string; days?: DayRange }): LoggedJob => ({
    applicationId,
    operation,
    resourceType: 'application',
    resourceId: applicationId,
    input: input(task),
  }),
});
const spanOf = ({ days }: { days?: DayRange }): object =>
  days && days.first <= days.last ? { start: days.first, end: days.last + DAY } : {};

export const ARCHIVE_DAY = defineJob<ArchiveDaysRequest>(
  'application.archiveData',
  optionsOf('application.archiveData', spanOf),
);
export const ARCHIVE_BACKFILL = defineJob<ArchiveDaysRequest>('application.backfillArchiveData', {
  ...optionsOf('application.backfillArchiveData', spanOf),
  attempts: 20,
});
export const ARCHIVE_EVENTS = defineJob<ArchiveJobRequest & EventsBound>(
  'application.fullEventsArchive',
  optionsOf('application.fullEventsArchive'),
);
export const ARCHIVE_TABLES = defineJob<ArchiveJobRequest>(
  'application.fullDataTablesArchive',
  optionsOf('application.fullDataTablesArchive'),
);
/** Appears in the application's job log like an archive of single days. */
export const ARCHIVE_DAILY = defineJob<{ applicationId: string }>('application.dailyArchive', {
  ...optionsOf('application.archiveData'),
  notifies: false,
});

/** Runs archive jobs. Running a job again writes the same objects again. */
@Injectable()
export class ArchiveJobs {
  constructor(
    private readonly applications: ArchivedApplicationsRepository,
    private readonly targets: ArchiveTargets,
    private readonly archiver: Archiver,
    private readonly schedules: ArchiveSchedulesRepository,
    private readonly outcomes: Outcomes,
    private readonly database: Database,
  ) {}

  @OnJob(ARCHIVE_DAY)
  archiveDay(task: ArchiveDaysRequest, job: JobContext): Promise<object | undefined> {
    return this.archiveDays('application.archiveData', task, job);
  }

  @OnJob(ARCHIVE_BACKFILL)
  backfill(task: ArchiveDaysRequest, job: JobContext): Promise<object | undefined> {
    return this.archiveDays('application.backfillArchiveData', task, job);
  }

  @OnJob(ARCHIVE_EVENTS)
  archiveEvents(task: ArchiveJobRequest & EventsBound, job: JobContext): Promise<object | undefined> {
    const about = { type: 'application.fullEventsArchive', title: 'The archive of all events', ...task };
    return this.runAndNotify(about, job, async (work) => {
      await this.archiver.archiveEvents(work, task);
      await job.progress({ completed: 1, total: 1, status: 'events archived' });
      const output = { eventsDirectory: work.target.directory };
      return { data: {}, output, text: 'The archive of all events' };
    });
  }

  @OnJob(ARCHIVE_TABLES)
  archiveTables(task: ArchiveJobRequest, job: JobContext): Promise<object | undefined> {
    const about = { type: 'application.fullDataTablesArchive', title: 'The archive of data tables', ...task };
    return this.runAndNotify(about, job, async (work) => {
      await this.archiver.archiveTables(work);
      await job.progress({ completed: 1, total: 1, status: 'data tables archived' });
      const output = { dataTablesDirectory: work.target.directory };
      return { data: {}, output, text: 'All selected data tables are in the archive.' };
    });
  }

  /** Archives the days that became due since the last run. If it fails, the next run resumes at the same day. */
  @OnJob(ARCHIVE_DAILY)
  async archiveDue({ applicationId }: { applicationId: string }, job: JobContext): Promise<void> {
    const application = await this.applications.find(applicationId);
    if (!application?.archiveConfig) return;
    const now = Date.now();
    const { keptSeconds, archiveConfig } = application;
    const last = nextDueDay(now, keptSeconds, archiveConfig.delayDays);
    const next = await this.schedules.startFrom(applicationId, new Date(last));
    if (!next) return;
    const first = Math.max(next.getTime(), requestedDays(now, keptSeconds).first);
    const work = await this.workOn(applicationId, application, job);
    await this.archiveEach(work, { first, last }, first, job, (next) =>
      this.schedules.advance(applicationId, new Date(next)),
    );
  }

  /** Resumes after the days that earlier attempts have archived. */
  private archiveDays(
    type: string,
    { days, ...task }: ArchiveDaysRequest,
    job: JobContext,
  ): Promise<object | undefined> {
    const [from, to] = [dayText(days.first), dayText(days.last)];
    const span = to < from ? 'no day' : from === to ? from : `${from} to ${to}`;
    return this.runAndNotify({ type, title: `The archive of ${span}`, ...task }, job, async (work) => {
      if (days.first <= days.last && !(await this.isWhole(task.applicationId, days.last)))
        throw new ValidationError(`Some data of ${span} has already expired`);
      const { archived }: ArchiveState = (job.state as ArchiveState | undefined) ?? { archived: 0 };
      await this.archiveEach(work, days, days.first + archived * DAY, job);
      const output = directoriesOf(work);
      return { data: { from, to }, output, text: `The data of ${span} (UTC) is in the archive.` };
    });
  }

  /**
   * Archives the days from `from` on that still have all of their data. Skips other days, so that partial data does not
   * overwrite complete objects. `passed` receives the next day.
   */
  private async archiveEach(
    work: ArchiveWork,
    { first, last }: DayRange,
    from: number,
    job: JobContext,
    passed?: (next: number) => Promise<void>,
  ): Promise<void> {
    const total = (last - first) / DAY + 1;
    for (let day = from; day <= last; day += DAY) {
      const completed = (day - first) / DAY;
      const reportProgress = (count: number, of: string) =>
        job.progress({ completed, total, status: `${dayText(day)}: ${count} ${of}` });
      const isWhole = () => this.isWhole(work.applicationId, day);
      const assertActive = async () => {
        if (!(await isWhole()))
          throw new Error(`Data of ${dayText(day)} expired while it was being archived`);
      };
      if (await isWhole()) await this.archiver.archiveDay({ ...work, assertActive, reportProgress }, day);
      await passed?.(day + DAY);
      const state: ArchiveState = { archived: completed + 1 };
      await this.database.transaction((transaction) => job.saveState(state, transaction));
      await job.progress({ completed: completed + 1, total, status: 'days archived' });
    }
  }

  /** Runs the archive with the current settings and notifies the listeners of its outcome. */
  private runAndNotify(
    task: Task & { applicationId: string },
    job: JobContext,
    archive: (work: ArchiveWork) => Promise<Outcome>,
  ): Promise<object | undefined> {
    const { type, title, applicationId, listeners } = task;
    return this.outcomes.runAndNotify({ type, title, applicationId, listeners }, job, async () => {
      const application = await this.findApplication(applicationId);
      return archive(await this.workOn(applicationId, application, job));
    });
  }

  /** Returns an application with archive settings. Otherwise throws 404 or 400, which ends the job. */
  private async findApplication(applicationId: string): Promise<ArchivedApplication> {
    const application = await this.applications.find(applicationId);
    if (!application) throw new NotFound('Application');
    if (!application.archiveConfig) throw new ValidationError(`${FIELD} is required`);
    return application;
  }

  /** Whether all data of a day is still stored. */
  private async isWhole(applicationId: string, day: number): Promise<boolean> {
    const { keptSeconds } = await this.findApplication(applicationId);
    return day >= requestedDays(Date.now(), keptSeconds).first;
  }

  private async workOn(
    applicationId: string,
    application: ArchivedApplication,
    job: JobContext,
  ): Promise<ArchiveWork> {
    const target = await this.targets.resolve(applicationId, application);
    const reportProgress = (count: number, of: string) =>
      job.progress({ completed: 0, total: 1, status: `${count} ${of}` });
    const assertActive = async () => void (await this.findApplication(applicationId));
    return {
      applicationId,
      config: application.archiveConfig!,
      target,
      signal: job.signal,
      assertActive,
      reportProgress,
    };
  }
}

/** Returns the directories of the archived resources, for the job output. */
function directoriesOf({ config, target: { directory } }: ArchiveWork): object {
  const { includeDevices = true, includeEvents, includeDataTables } = config;
  return {
    ...(includeDevices ? { devicesDirectory: directory } : {}),
    ...(includeEvents ? { eventsDirectory: directory } : {}),
    ...(includeDataTables ? { dataTablesDirectory: directory } : {}),
  };
}
