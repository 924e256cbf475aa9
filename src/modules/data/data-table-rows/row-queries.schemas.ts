import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ListenersBody } from '../../../platform/callbacks/listener-fields.js';
import { JsonField, type JsonSchema } from '../../../platform/fields/fields.js';
import { countSchema, idSchema } from '../../../platform/fields/schema.js';
import { openQuerySchema } from '../../../platform/lists/body-query-schema.js';
import { SORT_DIRECTION, type SortDirection } from '../../../platform/lists/list-query.js';
import { DATA_TABLE_ROW } from './data-table-row.schemas.js';
import { MAX_OFFSET } from './row-queries.query.js';

/** Schema of an advanced query of rows. */
export const ROW_QUERY = openQuerySchema(
  'DataTableQuery',
  'A condition on a column by name, including `id`, `createdAt` and `updatedAt`: a value of its type, `null` for no value, or operators.',
);

const SORT_COLUMN = {
  type: 'string',
  maxLength: 255,
  description: 'Column that the rows are sorted by.',
  example: 'serial',
};
const ROW_DIRECTION = {
  ...SORT_DIRECTION,
  description: 'Sort direction of the rows.',
};

const { required: _required, ...ROW } = DATA_TABLE_ROW;
/** A row that may contain only the requested columns. */
const FOUND_ROW: JsonSchema = {
  ...ROW,
  title: 'DataTableFoundRow',
  description: 'A row with the requested columns: values by column name, `null` for no value.',
};

/** A page of rows of a table. */
export const DATA_TABLE_ROWS: JsonSchema = {
  title: 'DataTableRows',
  type: 'object',
  description: 'A page of rows of a data table.',
  required: ['items', 'count', 'totalCount', 'limit', 'offset', 'sortColumn', 'sortDirection'],
  properties: {
    items: { type: 'array', items: FOUND_ROW, description: 'Rows of this page.' },
    count: countSchema('Number of rows in this page.', 1),
    totalCount: countSchema('Number of rows that match the query.', 1),
    limit: countSchema('Maximum number of rows in a page.', 1_000),
    offset: countSchema('Number of rows skipped before this page.', 0),
    sortColumn: SORT_COLUMN,
    sortDirection: ROW_DIRECTION,
    applicationId: idSchema('ID of the application that owns the data table.'),
    dataTableId: idSchema('ID of the data table that contains the rows.'),
    query: {
      type: 'object',
      description: 'The query of the request, if any.',
      example: { stock: { $lt: 5 } },
    },
  },
};

@ApiSchema({ name: 'DataTableRowsDelete', description: 'Result of deleting rows.' })
export class DataTableRowsDelete {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of deleted rows.', example: 3 })
  removed: number;
}

const QUERY_OPTIONS: JsonSchema = {
  title: 'DataTableExportOptions',
  type: 'object',
  additionalProperties: false,
  description: 'Order and range of the rows to export; all rows by ID by default.',
  properties: {
    limit: { ...countSchema('Maximum number of rows to export.', 100_000), maximum: MAX_OFFSET },
    offset: { ...countSchema('Number of matching rows to skip.', 0), maximum: MAX_OFFSET },
    sortColumn: { ...SORT_COLUMN, description: 'Column to sort by; defaults to `id`.' },
    sortDirection: ROW_DIRECTION,
  },
};

/** Export options in the request body. */
export interface ExportOptions {
  limit?: number;
  offset?: number;
  sortColumn?: string;
  sortDirection?: SortDirection | Uppercase<SortDirection>;
}

@ApiSchema({ name: 'DataTableRowsExport', description: 'Rows to export and the listeners to notify.' })
export class DataTableRowsExport extends ListenersBody {
  @JsonField(ROW_QUERY, {
    column: false,
    description: 'Advanced query of the rows to export; all rows by default.',
    example: { stock: { $lt: 5 } },
  })
  query?: object;

  @JsonField(QUERY_OPTIONS, {
    column: false,
    description: 'Order and range of the rows to export.',
    example: { sortColumn: 'serial' },
  })
  queryOptions?: ExportOptions;
}
