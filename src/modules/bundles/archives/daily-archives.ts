import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { ArchiveSchedulesRepository } from './archive-schedules.repository.js';
import { ARCHIVE_COMMIT } from './archive-commit.job.js';
import { ARCHIVE_DAILY } from './archive.jobs.js';

const INTERVAL_MS = 5 * 60_000;

/**
 * Starts the daily archives of applications. Runs in all workers concurrently; each application is claimed by one of
 * them.
 */
@Injectable()
export class DailyArchives extends PeriodicTask {
  constructor(
    private readonly schedules: ArchiveSchedulesRepository,
    private readonly jobs: JobsService,
    private readonly database: Database,
  ) {
    super(INTERVAL_MS, 'Could not start the daily archives');
  }

  /** Starts a batch of daily archives that are due and returns their number. */
  startDue(): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const due = await this.schedules.claimDue(transaction);
      for (const { id: applicationId, commits } of due) {
        await this.jobs.enqueue(transaction, ARCHIVE_DAILY, { applicationId });
        if (commits) await this.jobs.enqueue(transaction, ARCHIVE_COMMIT, { applicationId });
      }
      return due.length;
    });
  }

  protected override async runBatch(): Promise<boolean> {
    return (await this.startDue()) > 0;
  }
}
