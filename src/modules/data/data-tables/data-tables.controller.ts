import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { DataTable, DataTablePost, DataTables } from './data-table.resource.js';
import { DataTablesQuery } from './data-tables.query.js';
import { DataTablesService } from './data-tables.service.js';

@Controller('applications/:applicationId/data-tables')
export class DataTablesController {
  constructor(private readonly tables: DataTablesService) {}

  @Get()
  @Operation('dataTables.get', {
    summary: 'Returns the data tables of an application',
    description: 'With their columns, without their rows. Needs the role `view` on the application.',
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
      'Every table has the columns `id`, `createdAt` and `updatedAt`; beside them it has up to 50 of your own. Their names, types and constraints stay as they are made; columns can be added and removed later. The limit `datatable` of the owner counts the data tables of each application. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<DataTable>> {
    return this.tables.create(application, body, by);
  }
}
