import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { DataTable, DataTablePost, DataTables } from './data-table.resource.js';
import { DataTablesQuery } from './data-tables.query.js';
import { DataTablesService } from './data-tables.service.js';

@Controller('applications/:applicationId/data-tables')
export class DataTablesController {
  constructor(private readonly tables: DataTablesService) {}

  @Get()
  @Operation('dataTables.get', {
    summary: 'Lists the data tables of an application',
    description: 'Returns data tables with their columns. Rows are listed by a separate operation.',
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: DataTables },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() { list }: DataTablesQuery,
  ): Promise<StoredPage<DataTable>> {
    return this.tables.list(application, list);
  }

  @Post()
  @Operation('dataTables.post', {
    summary: 'Creates a data table',
    description:
      'Every data table has the columns `id`, `createdAt` and `updatedAt`, and up to 50 custom columns. Columns can be added and removed later, but their names, types and constraints cannot be changed. The `datatable` limit of the owner applies to the number of data tables per application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { dataTable: DataTablePost },
    example: {
      name: 'Parts',
      columns: [
        { name: 'serial', dataType: 'string', constraint: 'required' },
        { name: 'stock', dataType: 'number', constraint: 'optional', defaultValue: 0 },
      ],
    },
    returns: { 201: DataTable },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: DataTablePost,
    @By() by: Author,
  ): Promise<StoredResource<DataTable>> {
    return this.tables.create(application, body, by);
  }
}
