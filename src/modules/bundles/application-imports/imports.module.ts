import { Global, Module } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { SafeHttp } from '../../../lib/http/safe-http.js';
import { ApplicationBundlesModule } from '../application-bundles/application-bundles.module.js';
import { ApplicationTemplatesModule } from '../application-templates/application-templates.module.js';
import { ApplicationsModule } from '../../applications/applications/applications.module.js';
import { TemplateApplications } from '../../applications/applications/template-applications.js';
import { DataTableRowsModule } from '../../data/data-table-rows/data-table-rows.module.js';
import { DataTablesModule } from '../../data/data-tables/data-tables.module.js';
import { DevicesModule } from '../../devices/devices/devices.module.js';
import { FilesModule } from '../../files/files/files.module.js';
import { PrivateFilesModule } from '../../files/private-files/private-files.module.js';
import { AbandonedImportsRemoval } from './abandoned-imports.js';
import { ApplicationImportsRepository } from './application-imports.repository.js';
import { BundleSources, IMPORT_HTTP } from './fetched/bundle-sources.js';
import { ConflictResolver } from './planned/conflicts.js';
import { ImportForms } from './asked/import-form.js';
import { ApplicationImportJob } from './import.job.js';
import { ImportRunner } from './import-runner.js';
import { ImportTurnsRepository } from './import-turns.repository.js';
import { ImportWriter } from './written/import-writer.js';
import { ImportedApplicationsRepository } from './written/imported-applications.repository.js';
import { ImportedDevices } from './written/imported-devices.js';
import { ImportedFiles } from './written/imported-files.js';
import { ImportedFlowVersions } from './written/imported-flow-versions.js';
import { ImportedRowsRepository } from './imported-rows.repository.js';
import { ImportedTables } from './written/imported-tables.js';
import { Importer } from './importer.js';
import { ApplicationImportController, ApplicationsImportController } from './imports.controller.js';
import { ImportsService } from './imports.service.js';
import { TemplateBundles } from './asked/template-bundles.js';
import { ImportedTemplates } from './imported-templates.js';

/**
 * Imports into new and existing applications, and clones. Global, because `ApplicationsModule` injects
 * `TemplateApplications` and an import of this module would be a cycle. It exports nothing else.
 */
@Global()
@Module({
  imports: [
    ApplicationBundlesModule,
    ApplicationTemplatesModule,
    ApplicationsModule,
    DataTablesModule,
    DataTableRowsModule,
    DevicesModule,
    FilesModule,
    PrivateFilesModule,
  ],
  controllers: [ApplicationsImportController, ApplicationImportController],
  providers: [
    {
      provide: IMPORT_HTTP,
      inject: [Config],
      // URLs come from callers, so private origins are refused unless the operator allows them.
      useFactory: ({ importOrigins }: Config) => new SafeHttp({ allowedOrigins: importOrigins }),
    },
    AbandonedImportsRemoval,
    ApplicationImportsRepository,
    ApplicationImportJob,
    BundleSources,
    ConflictResolver,
    Importer,
    ImportForms,
    ImportRunner,
    ImportTurnsRepository,
    ImportWriter,
    ImportedApplicationsRepository,
    ImportedDevices,
    ImportedFiles,
    ImportedFlowVersions,
    ImportedRowsRepository,
    ImportedTables,
    ImportsService,
    TemplateBundles,
    { provide: TemplateApplications, useClass: ImportedTemplates },
  ],
  exports: [TemplateApplications],
})
export class ImportsModule {}
