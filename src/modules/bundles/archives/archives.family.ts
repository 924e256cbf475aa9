import type { Family } from '../../../platform/families.js';
import { ARCHIVE_COMMIT } from './archive-commit.job.js';
import { ARCHIVE_SCHEDULES, ArchiveSchedule } from './archive-schedule.entity.js';
import {
  ARCHIVE_BACKFILL,
  ARCHIVE_DAILY,
  ARCHIVE_DAY,
  ARCHIVE_EVENTS,
  ARCHIVE_TABLES,
} from './archive.jobs.js';
import { ArchivesModule } from './archives.module.js';

/** Daily archives of applications in stores of their owners. */
export const ARCHIVES_FAMILY: Family = {
  modules: [ArchivesModule],
  entities: [ArchiveSchedule],
  holdings: [ARCHIVE_SCHEDULES],
  neverBundled: {
    archive_schedules: 'Specific to this application.',
  },
  jobs: [ARCHIVE_BACKFILL, ARCHIVE_COMMIT, ARCHIVE_DAILY, ARCHIVE_DAY, ARCHIVE_EVENTS, ARCHIVE_TABLES],
};
