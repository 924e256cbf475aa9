import { ValidationError } from '../../../lib/errors/errors.js';
import { compileAdvancedQuery, type QueryFields } from '../../../platform/lists/advanced-query.js';
import type { SortDirection } from '../../../platform/lists/list-query.js';
import { clip } from '../../../platform/lists/query-operators.js';
import { columnNamed, type RowColumn, type TableLayout } from '../data-tables/table-columns.js';

/** The order of rows. What is the same in it is in that of ids, and what is empty is greater than anything. */
export interface RowOrder {
  column: RowColumn;
  direction: SortDirection;
}

const SYSTEM_FIELDS: QueryFields = {
  id: { kind: 'id', column: 't.id' },
  createdAt: { kind: 'date', column: 't.created_at' },
  updatedAt: { kind: 'date', column: 't.updated_at' },
};

/** What an advanced query may ask of rows `t` of a table. */
const queryFields = ({ own }: TableLayout): QueryFields => ({
  ...SYSTEM_FIELDS,
  ...Object.fromEntries(
    own.map(({ name, column, dataType }) => [name, { kind: dataType, column: `t.${column}` }] as const),
  ),
});

/**
 * The condition of rows `t` that meet a query, whose values are added to `values`; nothing where any row does. 400 where it
 * names a column that there is not, or a value of another type; `called` is how the caller knows the query.
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

/** The column of a name that a caller gave, or 400; `parameter` is what it was given as. */
export function demandColumn(layout: TableLayout, name: string, parameter: string): RowColumn {
  const column = columnNamed(layout, name);
  if (!column) throw new ValidationError(`${parameter} names ${clip(name)}, which is no column of the table`);
  return column;
}

/** `ORDER BY` of rows `t`: it ends with the id, so that rows in a tie never change places. */
export function orderSql({ column: { column }, direction }: RowOrder): string {
  const way = direction === 'desc' ? 'DESC' : 'ASC';
  return column === 'id' ? `ORDER BY t.id ${way}` : `ORDER BY t.${column} ${way}, t.id ${way}`;
}
