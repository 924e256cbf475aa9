import { ValidationError } from '../../../lib/errors/errors.js';
import { compileAdvancedQuery, type QueryFields } from '../../../platform/lists/advanced-query.js';
import type { SortDirection } from '../../../platform/lists/list-query.js';
import { clip } from '../../../platform/lists/query-operators.js';
import { columnNamed, type RowColumn, type TableLayout } from '../data-tables/table-columns.js';

/** Sort order of rows. Ties are sorted by ID, and empty values are greater than all others. */
export interface RowOrder {
  column: RowColumn;
  direction: SortDirection;
}

const SYSTEM_FIELDS: QueryFields = {
  id: { kind: 'id', column: 't.id' },
  createdAt: { kind: 'date', column: 't.created_at' },
  updatedAt: { kind: 'date', column: 't.updated_at' },
};

/** Fields of rows `t` that an advanced query can use. */
const queryFields = ({ own }: TableLayout): QueryFields => ({
  ...SYSTEM_FIELDS,
  ...Object.fromEntries(
    own.map(({ name, column, dataType }) => [name, { kind: dataType, column: `t.${column}` }] as const),
  ),
});

/**
 * Returns the SQL condition of a query on rows `t` and adds its values to `values`. Returns `undefined` if every row
 * matches. Throws 400 if a column does not exist or a value has the wrong type; `called` is the name of the query in
 * error messages.
 */
export function rowCondition(
  layout: TableLayout,
  query: object,
  values: unknown[],
  called = 'query',
): string | undefined {
  if (Object.keys(query).length === 0) return undefined;
  return compileAdvancedQuery(query, queryFields(layout), values, called);
}

/** Returns the column with a given name. Throws 400 naming `parameter` if it does not exist. */
export function columnOrFail(layout: TableLayout, name: string, parameter: string): RowColumn {
  const column = columnNamed(layout, name);
  if (!column)
    throw new ValidationError(`${parameter} names ${clip(name)}, which is not a column of the table`);
  return column;
}

/** `ORDER BY` of rows `t`. Ends with the ID, so that the order of ties is stable. */
export function orderSql({ column: { column }, direction }: RowOrder): string {
  const way = direction === 'desc' ? 'DESC' : 'ASC';
  return column === 'id' ? `ORDER BY t.id ${way}` : `ORDER BY t.${column} ${way}, t.id ${way}`;
}
