import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { SerializedResponse } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { DATA_TABLE_ROW, DATA_TABLE_ROW_INSERT_UPDATE } from './data-table-row.schemas.js';
import { DataTableRowService } from './data-table-row.service.js';
import type { RowBody } from './row-values.js';

@Controller('applications/:applicationId/data-tables/:dataTableId/rows/:rowId')
export class DataTableRowController {
  constructor(private readonly row: DataTableRowService) {}

  @Get()
  @Operation('dataTableRow.get', {
    summary: 'Returns a row of a data table',
    description: 'Returns a row with all columns. Columns without a value are `null`.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: DATA_TABLE_ROW },
    missing: 'data table row',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('dataTableId') dataTableId: string,
    @Param('rowId') rowId: string,
  ): Promise<SerializedResponse> {
    return this.row.get(id, dataTableId, rowId);
  }

  @Patch()
  @Operation('dataTableRow.patch', {
    summary: 'Updates a row of a data table',
    description:
      'Omitted columns keep their value; `null` removes a value. Workflows triggered by the table run with the updated row as `data.row` and `update` as `data.action`. Returns `400` with a message naming the column if a value has the wrong type, is removed from a required column, or already exists in a unique column.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { dataTableRow: DATA_TABLE_ROW_INSERT_UPDATE },
    example: { stock: 4 },
    returns: { 200: DATA_TABLE_ROW },
    missing: 'data table row',
  })
  patch(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('dataTableId') dataTableId: string,
    @Param('rowId') rowId: string,
    @Body() body: RowBody,
    @By() by: Author,
  ): Promise<SerializedResponse> {
    return this.row.patch(id, dataTableId, rowId, body, by);
  }

  @Delete()
  @Operation('dataTableRow.delete', {
    summary: 'Deletes a row of a data table',
    description:
      'Permanently deletes the row. Workflows triggered by the table run with the deleted row as `data.row` and `delete` as `data.action`.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'data table row',
  })
  delete(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('dataTableId') dataTableId: string,
    @Param('rowId') rowId: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.row.delete(id, dataTableId, rowId, by);
  }
}
