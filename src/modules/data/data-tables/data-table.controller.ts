import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ColumnQuery } from './data-table.query.js';
import { DataTable, DataTablePatch } from './data-table.resource.js';
import { DATA_TABLE_COLUMN, type DataTableColumn } from './data-table.schemas.js';
import { DataTablesService } from './data-tables.service.js';

@Controller('applications/:applicationId/data-tables/:dataTableId')
export class DataTableController {
  constructor(private readonly tables: DataTablesService) {}

  @Get()
  @Operation('dataTable.get', {
    summary: 'Returns a data table',
    description: 'Returns a data table with its columns. Rows are listed by a separate operation.',
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: DataTable },
    missing: 'data table',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('dataTableId') dataTableId: string,
  ): Promise<StoredResource<DataTable>> {
    return this.tables.get(id, dataTableId);
  }

  @Patch()
  @Operation('dataTable.patch', {
    summary: 'Updates a data table',
    description:
      'Updates the name and description. Omitted properties keep their value. Columns are added and removed by separate operations.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { dataTable: DataTablePatch },
    example: { description: 'Parts in stock' },
    returns: { 200: DataTable },
    missing: 'data table',
  })
  patch(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('dataTableId') dataTableId: string,
    @Body() body: DataTablePatch,
    @By() by: Author,
  ): Promise<StoredResource<DataTable>> {
    return this.tables.patch(id, dataTableId, body, by);
  }

  @Delete()
  @Operation('dataTable.delete', {
    summary: 'Deletes a data table',
    description: 'Permanently deletes the data table with all of its rows.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'data table',
  })
  delete(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('dataTableId') dataTableId: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.tables.delete(id, dataTableId, by);
  }

  @Post('column')
  @Operation('dataTable.addColumn', {
    summary: 'Adds a column to a data table',
    description:
      'Existing rows get the default value of the column, or no value if it has no default. Returns `400` if existing rows would violate the constraint. A required column needs a default if the table has rows, and the default of a unique column cannot be shared by two rows. A column with the name of a removed column starts without its values.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { dataTableColumn: DATA_TABLE_COLUMN },
    example: { name: 'shelf', dataType: 'string', constraint: 'optional' },
    returns: { 200: DataTable },
    missing: 'data table',
  })
  addColumn(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('dataTableId') dataTableId: string,
    @Body() body: DataTableColumn,
    @By() by: Author,
  ): Promise<StoredResource<DataTable>> {
    return this.tables.addColumn(id, dataTableId, body, by);
  }

  @Delete('column')
  @Operation('dataTable.removeColumn', {
    summary: 'Removes a column from a data table',
    description: 'Permanently deletes the column with the values of all rows.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: DataTable },
    missing: 'data table',
  })
  removeColumn(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('dataTableId') dataTableId: string,
    @Query() { columnName }: ColumnQuery,
    @By() by: Author,
  ): Promise<StoredResource<DataTable>> {
    return this.tables.removeColumn(id, dataTableId, columnName, by);
  }
}
