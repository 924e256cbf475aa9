import type { SortDirection } from '../../../platform/lists/list-query.js';
import {
  QueryInteger,
  QueryNames,
  QuerySortDirection,
  QueryText,
} from '../../../platform/lists/query-fields.js';

export const MOST_ROWS = 10_000;
export const USUAL_ROWS = 1_000;
export const LAST_OFFSET = 999_999_999;

/** Which rows are answered, in which order, and what of them. */
export class DataTableRowsQuery {
  @QueryText({
    description: 'The column to sort by, also `id`, `createdAt` or `updatedAt`; absent, `id`.',
    maxLength: 255,
    example: 'serial',
  })
  sortColumn?: string;

  @QuerySortDirection({
    description: 'The direction; ties are broken by id, and what is empty is last where it is `asc`.',
    default: 'asc',
  })
  sortDirection: SortDirection;

  @QueryInteger({
    description: 'How many rows are answered at most.',
    minimum: 0,
    maximum: MOST_ROWS,
    default: USUAL_ROWS,
  })
  limit: number;

  @QueryInteger({
    description: 'How many rows come before the first of them.',
    minimum: 0,
    maximum: LAST_OFFSET,
    default: 0,
  })
  offset: number;

  @QueryNames({
    description: 'The columns that are answered, separated by commas; absent, all.',
    example: 'id,createdAt',
  })
  includeFields?: string[];
}

/** How many rows are deleted. */
export class DataTableRowsDeleteQuery {
  @QueryInteger({
    description: 'How many rows are deleted at most, by id.',
    minimum: 1,
    maximum: MOST_ROWS,
    default: USUAL_ROWS,
  })
  limit: number;
}
