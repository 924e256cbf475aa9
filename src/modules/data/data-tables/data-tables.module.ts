import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataTableController } from './data-table.controller.js';
import { DataTable } from './data-table.resource.js';
import { DataTablesController } from './data-tables.controller.js';
import { DataTablesRepository } from './data-tables.repository.js';
import { DataTablesService } from './data-tables.service.js';

/** Data tables and their columns. */
@Module({
  imports: [TypeOrmModule.forFeature([DataTable])],
  controllers: [DataTablesController, DataTableController],
  providers: [DataTablesRepository, DataTablesService],
  exports: [DataTablesRepository],
})
export class DataTablesModule {}
