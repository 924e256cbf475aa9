import { Module } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { SafeHttp } from '../../../lib/http/safe-http.js';
import { CredentialsModule } from '../../integrations/credentials/credentials.module.js';
import { DataTableRowsModule } from '../../data/data-table-rows/data-table-rows.module.js';
import { DeviceExportsModule } from '../../devices/device-exports/device-exports.module.js';
import { ApplicationExportController } from './application-export.controller.js';
import { ApplicationExportJob } from './application-export.job.js';
import { ApplicationExportsService } from './application-exports.service.js';
import { BundleCommits } from './bundle-commits.js';
import { BundleExporter } from './bundle-exporter.js';
import { BundleRepositories, REPOSITORY_HTTP } from './bundle-repositories.js';
import { BundleRowsRepository } from './bundle-rows.repository.js';
import { BundleWriter } from './bundle-writer.js';
import { TableCsv } from './table-csv.js';

/** Application bundles: their contents and exports. */
@Module({
  imports: [CredentialsModule, DataTableRowsModule, DeviceExportsModule],
  controllers: [ApplicationExportController],
  providers: [
    {
      provide: REPOSITORY_HTTP,
      inject: [Config],
      // URLs come from callers, so private origins are refused unless the operator allows them.
      useFactory: ({ gitOrigins }: Config) => new SafeHttp({ allowedOrigins: gitOrigins }),
    },
    ApplicationExportJob,
    ApplicationExportsService,
    BundleCommits,
    BundleExporter,
    BundleRepositories,
    BundleRowsRepository,
    BundleWriter,
    TableCsv,
  ],
  exports: [BundleCommits, BundleExporter, BundleRepositories],
})
export class ApplicationBundlesModule {}
