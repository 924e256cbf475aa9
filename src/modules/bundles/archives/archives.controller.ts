import { Controller, Get, HttpCode, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { ArchiveDayQuery } from './archives.query.js';
import { ArchivesService } from './archives.service.js';

const TOLD =
  'An object of the same key is replaced, so what is archived again is there once. It goes on as a job; whoever asks in person gets a mail when that has ended. Needs `archiveConfig`, and the role `collaborate` on the application. An application asks for up to 100 archives in an hour.';
const DAY_TOLD =
  'Objects lie in the `directory` of `archiveConfig`, in one of the day, such as `2026-09-30`: of each device an object `ID.csv` with the columns `Timestamp` (milliseconds since 1970), `ISO Date` and its attributes; with `includeEvents`, `events.csv` with the events that happened on the day, as their export has them; with `includeDataTables`, of each data table `data-tables/ID.csv` with the rows that were last changed on the day. What there is nothing of has the heading alone, also where there was something when the day was archived before.';
const WINDOW_TOLD =
  'Days are those of UTC that are older than 31 days, of which all data is still there: the `dataTTL` of the organization says how long that is kept.';
const DEFINITION = {
  scopes: APPLICATION_WRITE,
  role: 'collaborate',
  returns: { 202: JobEnqueuedResult },
  missing: 'application',
  errors: { 429: 'Enough archives were asked for; `Retry-After` says when more can be.' },
} as const;

@Controller('applications/:applicationId')
export class ArchivesController {
  constructor(private readonly archives: ArchivesService) {}

  @Get('archiveData')
  @HttpCode(202)
  @Operation('application.archiveData', {
    summary: 'Archives a day of an application',
    description: `Writes what \`archiveConfig\` includes of a day to its place. ${DAY_TOLD} ${WINDOW_TOLD} ${TOLD}`,
    ...DEFINITION,
  })
  archiveDay(
    @CurrentApplication() application: ApplicationAccess,
    @Query() { date }: ArchiveDayQuery,
    @By() by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.archives.archiveDay(application, date, by);
  }

  @Get('backfillArchiveData')
  @HttpCode(202)
  @Operation('application.backfillArchiveData', {
    summary: 'Archives all days of an application that can be',
    description: `Archives each day as \`archiveData\` does. ${WINDOW_TOLD} ${TOLD}`,
    ...DEFINITION,
  })
  backfill(
    @CurrentApplication() application: ApplicationAccess,
    @By() by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.archives.backfill(application, by);
  }

  @Get('fullEventsArchive')
  @HttpCode(202)
  @Operation('application.fullEventsArchive', {
    summary: 'Archives all events of an application',
    description: `Writes all events to the object \`full/events.csv\` in the \`directory\` of \`archiveConfig\`, whatever that includes. ${TOLD}`,
    ...DEFINITION,
  })
  archiveEvents(
    @CurrentApplication() application: ApplicationAccess,
    @By() by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.archives.archiveEvents(application, by);
  }

  @Get('fullDataTablesArchive')
  @HttpCode(202)
  @Operation('application.fullDataTablesArchive', {
    summary: 'Archives the data tables of an application',
    description: `Writes all rows of each data table that \`dataTablesMode\` and \`dataTableIds\` of \`archiveConfig\` select to an object \`full/data-tables/ID.csv\` in its \`directory\`, with the columns \`id\`, those of the table, \`createdAt\` and \`updatedAt\`. ${TOLD}`,
    ...DEFINITION,
  })
  archiveTables(
    @CurrentApplication() application: ApplicationAccess,
    @By() by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.archives.archiveTables(application, by);
  }
}
