import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ListenersBody } from '../../../platform/callbacks/asked-listeners.js';
import { ID_EXAMPLE, ID_PATTERN, JsonField, type JsonSchema } from '../../../platform/fields/fields.js';
import { openQuerySchema } from '../../../platform/lists/body-query-schema.js';
import type { SortDirection } from '../../../platform/lists/list-query.js';
import { DATA_TABLE_ROW } from './data-table-row.schemas.js';
import { LAST_OFFSET } from './row-queries.query.js';

/** Which rows of a table are meant. */
export const ROW_QUERY = openQuerySchema(
  'DataTableQuery',
  'What a column is, by its name, also `id`, `createdAt` or `updatedAt`: a value of its type, `null` for none, or operators.',
);

const integer = (description: string, example: number): JsonSchema => ({
  type: 'integer',
  minimum: 0,
  description,
  example,
});
const id = (description: string): JsonSchema => ({
  type: 'string',
  pattern: ID_PATTERN,
  description,
  example: ID_EXAMPLE,
});
const SORT_COLUMN = {
  type: 'string',
  maxLength: 255,
  description: 'The column that they are sorted by.',
  example: 'serial',
};
const SORT_DIRECTION = {
  type: 'string',
  enum: ['asc', 'desc', 'ASC', 'DESC'],
  description: 'The direction.',
};

const { required: _required, ...ROW } = DATA_TABLE_ROW;
/** A row of which some columns may have been asked for. */
const FOUND_ROW: JsonSchema = {
  ...ROW,
  title: 'DataTableFoundRow',
  description: 'A row, or what was asked for of it: values by the names of their columns, `null` for none.',
};

/** Rows of a table, as they were asked for. */
export const DATA_TABLE_ROWS: JsonSchema = {
  title: 'DataTableRows',
  type: 'object',
  description: 'Rows of a data table.',
  required: ['items', 'count', 'totalCount', 'limit', 'offset', 'sortColumn', 'sortDirection'],
  properties: {
    items: { type: 'array', items: FOUND_ROW, description: 'The rows.' },
    count: integer('How many rows these are.', 1),
    totalCount: integer('How many rows there are that meet the query.', 1),
    limit: integer('How many were asked for at most.', 1_000),
    offset: integer('How many come before them.', 0),
    sortColumn: SORT_COLUMN,
    sortDirection: SORT_DIRECTION,
    applicationId: id('The application that they belong to.'),
    dataTableId: id('The data table that they belong to.'),
    query: { type: 'object', description: 'The query, where there was one.', example: { stock: { $lt: 5 } } },
  },
};

@ApiSchema({ name: 'DataTableRowsDelete', description: 'What was deleted.' })
export class DataTableRowsDelete {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many rows were deleted.', example: 3 })
  removed: number;
}

const QUERY_OPTIONS: JsonSchema = {
  title: 'DataTableExportOptions',
  type: 'object',
  additionalProperties: false,
  description: 'Which of the rows that meet the query, and in which order; absent, all by id.',
  properties: {
    limit: { ...integer('How many rows at most.', 100_000), maximum: LAST_OFFSET },
    offset: { ...integer('How many come before the first of them.', 0), maximum: LAST_OFFSET },
    sortColumn: { ...SORT_COLUMN, description: 'The column to sort by; absent, `id`.' },
    sortDirection: SORT_DIRECTION,
  },
};

/** The options of an export as its body has them. */
export interface ExportOptions {
  limit?: number;
  offset?: number;
  sortColumn?: string;
  sortDirection?: SortDirection | Uppercase<SortDirection>;
}

@ApiSchema({ name: 'DataTableRowsExport', description: 'Which rows are exported, and who hears of it.' })
export class DataTableRowsExport extends ListenersBody {
  @JsonField(ROW_QUERY, {
    column: false,
    description: 'Which rows; absent, all.',
    example: { stock: { $lt: 5 } },
  })
  query?: object;

  @JsonField(QUERY_OPTIONS, {
    column: false,
    description: 'Which of them, and in which order.',
    example: { sortColumn: 'serial' },
  })
  queryOptions?: ExportOptions;
}
