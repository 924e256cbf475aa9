import { Module } from '@nestjs/common';
import { RowQueriesRepository } from '../data-table-rows/row-queries.repository.js';
import { ExportTurnsRepository } from '../device-exports/export-turns.repository.js';
import { ApplicationExportController } from './application-export.controller.js';
import { ApplicationExportJob } from './application-export.job.js';
import { ApplicationExportsService } from './application-exports.service.js';
import { BundleExporter } from './bundle-exporter.js';
import { BundleRowsRepository } from './bundle-rows.repository.js';
import { BundleWriter } from './bundle-writer.js';
import { TableCsv } from './table-csv.js';

/** Bundles of applications: what they are made of, and exports. */
@Module({
  controllers: [ApplicationExportController],
  providers: [
    ApplicationExportJob,
    ApplicationExportsService,
    BundleExporter,
    BundleRowsRepository,
    BundleWriter,
    ExportTurnsRepository,
    RowQueriesRepository,
    TableCsv,
  ],
  exports: [BundleExporter, BundleRowsRepository, BundleWriter],
})
export class ApplicationBundlesModule {}
