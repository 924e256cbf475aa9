import { Module } from '@nestjs/common';
import { DataTablesModule } from '../data-tables/data-tables.module.js';
import { DeviceExportsModule } from '../../devices/device-exports/device-exports.module.js';
import { FiringsModule } from '../../../workflows/runs/firings.module.js';
import { DataTableRowController } from './data-table-row.controller.js';
import { DataTableRowRepository } from './data-table-row.repository.js';
import { DataTableRowService } from './data-table-row.service.js';
import { DataTableRowsController } from './data-table-rows.controller.js';
import { RowExportJob } from './row-export.job.js';
import { RowExportsService } from './row-exports.service.js';
import { RowLines } from './row-lines.js';
import { RowQueriesController } from './row-queries.controller.js';
import { RowQueriesRepository } from './row-queries.repository.js';
import { RowQueriesService } from './row-queries.service.js';

/** Rows of data tables. */
@Module({
  imports: [DataTablesModule, DeviceExportsModule, FiringsModule],
  controllers: [DataTableRowsController, RowQueriesController, DataTableRowController],
  providers: [
    DataTableRowRepository,
    DataTableRowService,
    RowQueriesRepository,
    RowQueriesService,
    RowExportsService,
    RowExportJob,
    RowLines,
  ],
  exports: [DataTableRowRepository, RowLines, RowQueriesRepository],
})
export class DataTableRowsModule {}
