import { Controller, Get, HttpCode, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { ArchiveDayQuery } from './archives.query.js';
import { ArchivesService } from './archives.service.js';

const ARCHIVE_NOTE =
  'Objects with the same key are replaced, so repeating an archive creates no duplicates. The archive runs as a background job. If a user requested it, an email is sent when the job ends. Requires `archiveConfig` to be set. An application is limited to 100 archive requests per hour.';
const DAY_NOTE =
  'Objects are written to the `directory` of `archiveConfig`, in a subdirectory for the day, such as `2026-09-30`. Each device has an object `ID.csv` with the columns `Timestamp` (milliseconds since 1970), `ISO Date` and its attributes. With `includeEvents`, `events.csv` contains the events of the day in the format of an event export. With `includeDataTables`, each data table has an object `data-tables/ID.csv` with the rows last changed on that day. Objects without data contain only the heading, even if an earlier archive of the day had data.';
const WINDOW_NOTE =
  'Only UTC days older than 31 days whose data is all still stored can be archived. The `dataTTL` limit of the organization sets how long data is stored.';
const DEFINITION = {
  scopes: APPLICATION_WRITE,
  role: 'collaborate',
  returns: { 202: JobEnqueuedResult },
  missing: 'application',
  errors: { 429: 'Too many archives were requested. `Retry-After` contains the number of seconds to wait.' },
} as const;

@Controller('applications/:applicationId')
export class ArchivesController {
  constructor(private readonly archives: ArchivesService) {}

  @Get('archiveData')
  @HttpCode(202)
  @Operation('application.archiveData', {
    summary: 'Archives a day of an application',
    description: `Writes the data of a day that \`archiveConfig\` includes to its store. ${DAY_NOTE} ${WINDOW_NOTE} ${ARCHIVE_NOTE}`,
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
    summary: 'Archives all eligible days of an application',
    description: `Archives each eligible day in the same way as \`archiveData\`. ${WINDOW_NOTE} ${ARCHIVE_NOTE}`,
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
    description: `Writes all events to the object \`full/events.csv\` in the \`directory\` of \`archiveConfig\`, regardless of \`includeEvents\`. ${ARCHIVE_NOTE}`,
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
    description: `Writes all rows of each data table selected by \`dataTablesMode\` and \`dataTableIds\` of \`archiveConfig\`. The objects are named \`full/data-tables/ID.csv\` in its \`directory\`. Columns are \`id\`, the columns of the table, \`createdAt\` and \`updatedAt\`. ${ARCHIVE_NOTE}`,
    ...DEFINITION,
  })
  archiveTables(
    @CurrentApplication() application: ApplicationAccess,
    @By() by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.archives.archiveTables(application, by);
  }
}
