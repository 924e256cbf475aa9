import { Module } from '@nestjs/common';
import { DataTablesModule } from '../data-tables/data-tables.module.js';
import { DataTableRowController } from './data-table-row.controller.js';
import { DataTableRowRepository } from './data-table-row.repository.js';
import { DataTableRowService } from './data-table-row.service.js';
import { DataTableRowsController } from './data-table-rows.controller.js';

/** The rows of data tables. */
@Module({
  imports: [DataTablesModule],
  controllers: [DataTableRowsController, DataTableRowController],
  providers: [DataTableRowRepository, DataTableRowService],
})
export class DataTableRowsModule {}
