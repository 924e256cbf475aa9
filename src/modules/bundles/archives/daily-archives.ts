import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { Repeated } from '../../../platform/database/repeated.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { ArchiveSchedulesRepository } from './archive-schedules.repository.js';
import { ARCHIVE_COMMIT } from './archive-commit.job.js';
import { ARCHIVE_DAILY } from './archive.jobs.js';

const INTERVAL_MS = 5 * 60_000;

/** Has what applications archive each day archived. All workers do this at once; an application is taken by one of them. */
@Injectable()
export class DailyArchives extends Repeated {
  constructor(
    private readonly schedules: ArchiveSchedulesRepository,
    private readonly jobs: JobsService,
    private readonly database: Database,
  ) {
    super(INTERVAL_MS, 'Daily archives were not begun');
  }

  /** Begins the archives of some applications that are due; how many. */
  begin(): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const due = await this.schedules.takeDue(transaction);
      for (const { id: applicationId, commits } of due) {
        await this.jobs.enqueue(transaction, ARCHIVE_DAILY, { applicationId });
        if (commits) await this.jobs.enqueue(transaction, ARCHIVE_COMMIT, { applicationId });
      }
      return due.length;
    });
  }

  protected override async batch(): Promise<boolean> {
    return (await this.begin()) > 0;
  }
}
