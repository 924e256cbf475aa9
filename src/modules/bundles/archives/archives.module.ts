import { Global, Module } from '@nestjs/common';
import { ApplicationBundlesModule } from '../application-bundles/application-bundles.module.js';
import { ArchiveSettings } from '../../applications/applications/archive-settings.js';
import { CredentialsModule } from '../../integrations/credentials/credentials.module.js';
import { DataTableRowsModule } from '../../data/data-table-rows/data-table-rows.module.js';
import { DataTablesModule } from '../../data/data-tables/data-tables.module.js';
import { DeviceExportsModule } from '../../devices/device-exports/device-exports.module.js';
import { EventsModule } from '../../events/events/events.module.js';
import { ArchiveCommitJob } from './archive-commit.job.js';
import { ArchiveJobs } from './archive.jobs.js';
import { ArchiveSchedulesRepository } from './archive-schedules.repository.js';
import { ArchiveSettingsService } from './archive-settings.service.js';
import { ArchiveStores } from './archive-stores.js';
import { ArchiveTargets } from './archive-target.js';
import { ArchivedApplicationsRepository } from './archived-applications.repository.js';
import { Archiver } from './archiver.js';
import { ArchivesController } from './archives.controller.js';
import { ArchivesService } from './archives.service.js';
import { DailyArchives } from './daily-archives.js';

/**
 * Archives of applications in stores of their owners. Global, because `ApplicationsModule` injects `ArchiveSettings` and
 * an import of this module would be a cycle. It exports nothing else.
 */
@Global()
@Module({
  imports: [
    ApplicationBundlesModule,
    CredentialsModule,
    DataTablesModule,
    DataTableRowsModule,
    DeviceExportsModule,
    EventsModule,
  ],
  controllers: [ArchivesController],
  providers: [
    ArchivedApplicationsRepository,
    Archiver,
    ArchiveCommitJob,
    ArchiveJobs,
    ArchiveSchedulesRepository,
    ArchivesService,
    ArchiveStores,
    ArchiveTargets,
    { provide: ArchiveSettings, useClass: ArchiveSettingsService },
    DailyArchives,
  ],
  exports: [ArchiveSettings],
})
export class ArchivesModule {}
