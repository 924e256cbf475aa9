import type { SortDirection } from '../../../platform/lists/list-query.js';
import {
  QueryInteger,
  QueryNames,
  QuerySortDirection,
  QueryText,
} from '../../../platform/lists/query-fields.js';

export const MAX_ROWS = 10_000;
export const DEFAULT_ROWS = 1_000;
export const MAX_OFFSET = 999_999_999;

/** Query parameters that select, sort and limit rows and their columns. */
export class DataTableRowsQuery {
  @QueryText({
    description: 'Column to sort by, including `id`, `createdAt` and `updatedAt`; defaults to `id`.',
    maxLength: 255,
    example: 'serial',
  })
  sortColumn?: string;

  @QuerySortDirection({
    description:
      'Sort direction. Ties are sorted by ID. Empty values are last with `asc` and first with `desc`.',
    default: 'asc',
  })
  sortDirection: SortDirection;

  @QueryInteger({
    description: 'Maximum number of rows to return.',
    minimum: 0,
    maximum: MAX_ROWS,
    default: DEFAULT_ROWS,
  })
  limit: number;

  @QueryInteger({
    description: 'Number of rows to skip.',
    minimum: 0,
    maximum: MAX_OFFSET,
    default: 0,
  })
  offset: number;

  @QueryNames({
    description: 'Comma-separated names of the columns to return; all by default.',
    example: 'id,createdAt',
  })
  includeFields?: string[];
}

/** Query parameters of the deletion of rows. */
export class DataTableRowsDeleteQuery {
  @QueryInteger({
    description: 'Maximum number of rows to delete, in order of ID.',
    minimum: 1,
    maximum: MAX_ROWS,
    default: DEFAULT_ROWS,
  })
  limit: number;
}
