import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import {
  APPLICATION_BROWSE,
  APPLICATION_CHILDREN_READ,
  APPLICATION_CHILDREN_WRITE,
} from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { SerializedResponse } from '../../../platform/responses/stored-resources.js';
import { JobEnqueuedResult, Success } from '../../../platform/fields/shared.schemas.js';
import { EXPORT_CALLBACK } from '../../devices/device-exports/export-link.js';
import { EXPORT_ERRORS, outcomeNote } from '../../devices/device-exports/export-notes.js';
import { RowExportsService } from './row-exports.service.js';
import { DataTableRowsDeleteQuery, DataTableRowsQuery } from './row-queries.query.js';
import {
  DATA_TABLE_ROWS,
  DataTableRowsDelete,
  DataTableRowsExport,
  ROW_QUERY,
} from './row-queries.schemas.js';
import { RowQueriesService } from './row-queries.service.js';

const LIMITS_NOTE =
  'Returns up to 10,000 rows and 16 MiB. Returns `400` if the request takes longer than 2.5 seconds, for example because of a query, a sort order without an index or a large `offset`. The message names what to narrow.';
const EXAMPLE = { stock: { $lt: 5 } };

@Controller('applications/:applicationId/data-tables/:dataTableId/rows')
export class RowQueriesController {
  constructor(
    private readonly rows: RowQueriesService,
    private readonly exports: RowExportsService,
  ) {}

  @Get()
  @Operation('dataTableRows.get', {
    summary: 'Lists the rows of a data table',
    description: `Lists rows, sorted by ID unless \`sortColumn\` is set. ${LIMITS_NOTE}`,
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: DATA_TABLE_ROWS },
    missing: 'data table',
  })
  get(
    @CurrentApplication() application: ApplicationAccess,
    @Param('dataTableId') dataTableId: string,
    @Query() query: DataTableRowsQuery,
  ): Promise<SerializedResponse> {
    return this.rows.find(application, dataTableId, query);
  }

  @Post('query')
  @Operation('dataTableRows.query', {
    summary: 'Queries the rows of a data table',
    description: `Returns the rows that match an advanced query over the columns of the table, \`id\`, \`createdAt\` and \`updatedAt\`. Text is compared by code point. Returns \`400\` if a column does not exist or a value does not have the type of its column. ${LIMITS_NOTE}`,
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
  ): Promise<SerializedResponse> {
    return this.rows.find(application, dataTableId, query, asked);
  }

  @Post('delete')
  @Operation('dataTableRows.delete', {
    summary: 'Deletes rows of a data table',
    description:
      'Deletes the rows that match an advanced query, or any rows without a query. Deletes at most `limit` rows, in order of ID, all or none of them. Workflows triggered by the table run once for each deleted row, with the row as `data.row` and `delete` as `data.action`.',
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
    description: 'Deletes all rows at once, regardless of their number. Does not trigger workflows.',
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
    description: `Exports the rows that match \`query\` to a CSV file with the columns \`id\`, the columns of the table, \`createdAt\` and \`updatedAt\`. Text that a spreadsheet would interpret as a formula is prefixed with \`'\`. A data table can be exported once every five minutes. ${outcomeNote('7 days')}`,
    scopes: APPLICATION_CHILDREN_READ,
    role: 'collaborate',
    body: { dataTableRowsExport: DataTableRowsExport },
    example: { query: EXAMPLE, email: 'ada@example.com' },
    returns: { 202: JobEnqueuedResult },
    callback: EXPORT_CALLBACK,
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
