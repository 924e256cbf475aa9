import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
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
    description: 'With its columns, without its rows. Needs the role `view` on the application.',
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: DataTable },
    missing: 'data table',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('dataTableId') dataTableId: string,
  ): Promise<Stored<DataTable>> {
    return this.tables.get(id, dataTableId);
  }

  @Patch()
  @Operation('dataTable.patch', {
    summary: 'Changes a data table',
    description:
      'Its name and description; what is absent stays as it is. Columns are added and removed one at a time. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<DataTable>> {
    return this.tables.patch(id, dataTableId, body, by);
  }

  @Delete()
  @Operation('dataTable.delete', {
    summary: 'Deletes a data table',
    description: 'It is gone for good with all of its rows. Needs the role `collaborate` on the application.',
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
      'Rows that are there get its default value, or none where it has no default. It is 400 where they would not meet its constraint: a required column needs a default as soon as there are rows, and two rows cannot share the default of a unique one. A column with the name of one that was removed begins anew. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<DataTable>> {
    return this.tables.addColumn(id, dataTableId, body, by);
  }

  @Delete('column')
  @Operation('dataTable.removeColumn', {
    summary: 'Removes a column from a data table',
    description: 'What rows have in it is gone for good. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<DataTable>> {
    return this.tables.removeColumn(id, dataTableId, columnName, by);
  }
}
