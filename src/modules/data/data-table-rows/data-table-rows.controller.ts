import { Body, Controller, Param, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { SerializedResponse } from '../../../platform/responses/stored-resources.js';
import { DATA_TABLE_ROW_INSERT, DATA_TABLE_ROW_INSERT_RESULT } from './data-table-row.schemas.js';
import { DataTableRowService } from './data-table-row.service.js';
import type { RowBody } from './row-values.js';

@Controller('applications/:applicationId/data-tables/:dataTableId/rows')
export class DataTableRowsController {
  constructor(private readonly row: DataTableRowService) {}

  @Post()
  @Operation('dataTableRows.post', {
    summary: 'Inserts rows into a data table',
    description:
      'Inserts up to 1,000 rows atomically. Omitted columns get their default value; `null` means no value. Text is limited to 65,536 bytes per value, 2,048 bytes in a unique column and 131,072 bytes per row. Workflows triggered by the table run with the row as `data.row`, or for an array of rows with their IDs as `data.rowIds`. `data.action` is `insert` or `bulkInsert`. Returns `400` with a message naming the column if a value has the wrong type, a required value is missing, or a unique value already exists.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { dataTableRow: DATA_TABLE_ROW_INSERT },
    example: { serial: 'A-17', stock: 3 },
    returns: { 201: DATA_TABLE_ROW_INSERT_RESULT },
    missing: 'data table',
  })
  insert(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('dataTableId') dataTableId: string,
    @Body() body: RowBody | readonly RowBody[],
    @By() by: Author,
  ): Promise<SerializedResponse> {
    return this.row.insert(id, dataTableId, body, by);
  }
}
