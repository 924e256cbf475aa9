import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import {
  APPLICATION_BROWSE,
  APPLICATION_CHILDREN_READ,
  APPLICATION_CHILDREN_WRITE,
} from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Written } from '../../../platform/responses/answers.js';
import { JobEnqueuedResult, Success } from '../../../platform/fields/shared.schemas.js';
import { EXPORT_ERRORS, outcomeTold } from '../../devices/device-exports/told.js';
import { RowExportsService } from './row-exports.service.js';
import { DataTableRowsDeleteQuery, DataTableRowsQuery } from './row-queries.query.js';
import {
  DATA_TABLE_ROWS,
  DataTableRowsDelete,
  DataTableRowsExport,
  ROW_QUERY,
} from './row-queries.schemas.js';
import { RowQueriesService } from './row-queries.service.js';

const BOUNDS =
  'At most 10,000 rows and 16 MiB of them are answered. What has to look at very many rows, such as a query, an order that no index has or a large `offset`, is 400 where it takes longer than 2.5 seconds, and the message says what to narrow.';
const EXAMPLE = { stock: { $lt: 5 } };

@Controller('applications/:applicationId/data-tables/:dataTableId/rows')
export class RowQueriesController {
  constructor(
    private readonly rows: RowQueriesService,
    private readonly exports: RowExportsService,
  ) {}

  @Get()
  @Operation('dataTableRows.get', {
    summary: 'Returns the rows of a data table',
    description: `${BOUNDS} Needs the role \`view\` on the application.`,
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: DATA_TABLE_ROWS },
    missing: 'data table',
  })
  get(
    @CurrentApplication() application: ApplicationAccess,
    @Param('dataTableId') dataTableId: string,
    @Query() query: DataTableRowsQuery,
  ): Promise<Written> {
    return this.rows.find(application, dataTableId, query);
  }

  @Post('query')
  @Operation('dataTableRows.query', {
    summary: 'Finds rows of a data table',
    description: `The rows that meet an advanced query over the columns of the table, and \`id\`, \`createdAt\` and \`updatedAt\`. Text is compared by its code points. A column that there is not, or a value of another type than the column's, is 400. ${BOUNDS} Needs the role \`view\` on the application.`,
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    body: { query: ROW_QUERY },
    optionalBody: true,
    example: EXAMPLE,
    returns: { 200: DATA_TABLE_ROWS },
    missing: 'data table',
  })
  query(
    @CurrentApplication() application: ApplicationAccess,
    @Param('dataTableId') dataTableId: string,
    @Query() query: DataTableRowsQuery,
    @Body() asked: object,
  ): Promise<Written> {
    return this.rows.find(application, dataTableId, query, asked);
  }

  @Post('delete')
  @Operation('dataTableRows.delete', {
    summary: 'Deletes rows of a data table',
    description:
      'Deletes the rows that meet an advanced query, the first `limit` of them by id, all of these or none; without a query any rows meet it. Workflows that listen to the table run for each, with the row as it was as `data.row` and `delete` as `data.action`. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { query: ROW_QUERY },
    optionalBody: true,
    example: EXAMPLE,
    returns: { 200: DataTableRowsDelete },
    missing: 'data table',
  })
  delete(
    @CurrentApplication() application: ApplicationAccess,
    @Param('dataTableId') dataTableId: string,
    @Query() { limit }: DataTableRowsDeleteQuery,
    @Body() asked: object,
    @By() by: Author,
  ): Promise<DataTableRowsDelete> {
    return this.rows.delete(application, dataTableId, { query: asked, limit }, by);
  }

  @Post('truncate')
  @Operation('dataTableRows.truncate', {
    summary: 'Deletes all rows of a data table',
    description:
      'Deletes all rows at once, however many there are; no workflow runs for them. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'data table',
  })
  async truncate(
    @CurrentApplication() application: ApplicationAccess,
    @Param('dataTableId') dataTableId: string,
    @By() by: Author,
  ): Promise<Success> {
    await this.rows.truncate(application, dataTableId, by);
    return new Success();
  }

  @Post('export')
  @Operation('dataTableRows.export', {
    summary: 'Exports rows of a data table',
    description: `Makes a CSV file of the rows that meet \`query\`, with the columns \`id\`, those of the table, \`createdAt\` and \`updatedAt\`. Text that a spreadsheet would take for a formula has a \`'\` before it. A data table can be exported once in five minutes. ${outcomeTold('7 days')} Needs the role \`collaborate\` on the application.`,
    scopes: APPLICATION_CHILDREN_READ,
    role: 'collaborate',
    body: { dataTableRowsExport: DataTableRowsExport },
    example: { query: EXAMPLE, email: 'ada@example.com' },
    returns: { 202: JobEnqueuedResult },
    missing: 'data table',
    errors: EXPORT_ERRORS,
  })
  export(
    @CurrentApplication() application: ApplicationAccess,
    @Param('dataTableId') dataTableId: string,
    @Body() body: DataTableRowsExport,
    @By() by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.exports.export(application, dataTableId, body, by);
  }
}
