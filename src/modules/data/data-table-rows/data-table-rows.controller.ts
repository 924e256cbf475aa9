import { Body, Controller, Param, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Written } from '../../../platform/responses/answers.js';
import { DATA_TABLE_ROW_INSERT, DATA_TABLE_ROW_INSERT_RESULT } from './data-table-row.schemas.js';
import { DataTableRowService } from './data-table-row.service.js';
import type { RowBody } from './row-values.js';

@Controller('applications/:applicationId/data-tables/:dataTableId/rows')
export class DataTableRowsController {
  constructor(private readonly row: DataTableRowService) {}

  @Post()
  @Operation('dataTableRows.post', {
    summary: 'Inserts a row, or several',
    description:
      'Up to 1,000 rows at once, all or none. A column that a row says nothing of gets its default value; `null` is no value. Text has at most 65,536 bytes, in a unique column 2,048, and all text of a row 131,072. Workflows that listen to the table run with the row as `data.row`, or of several with their ids as `data.rowIds`; `data.action` is `insert` or `bulkInsert`. It is 400, and the message names the column, where a value is of another type, is missing and required, or is there already and must be unique. Needs the role `collaborate` on the application.',
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
  ): Promise<Written> {
    return this.row.insert(id, dataTableId, body, by);
  }
}
