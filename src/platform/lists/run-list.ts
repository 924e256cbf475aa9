import { isDeepStrictEqual } from 'node:util';
import type { Database, Statement } from '../database/database.js';
import { columnName } from '../database/naming.js';
import type { EncodedRow } from '../database/encoded-row.js';
import type { RowShape } from '../database/row-shape.js';
import { StoredResource, StoredPage } from '../responses/stored-resources.js';
import type { ListParameters } from './list-query.js';
import { listStatement, readPage, wholeListStatement, type ListOptions } from './list-sql.js';

export interface RunListOptions extends Pick<ListOptions, 'found' | 'holders' | 'sizedBy'> {
  table: string;
  /** Owner of the rows, to whose quota a search counts. */
  owner: string;
  /** Conditions on `t`, with parameters numbered from 1. */
  where: readonly string[];
  values: readonly unknown[];
  /** Parameter with which a caller searches through one of these conditions. */
  searchedBy?: string;
  /** Validated parameters; each field is a column of the table. */
  list: ListParameters;
  /** SQL of the number of rows without a filter, from stored counts; if absent, the rows are counted. */
  total?: string;
}

/** Returns a page of rows and the total number of matching rows, from the same snapshot. */
export async function runList<T>(
  database: Database,
  shape: RowShape<T>,
  given: RunListOptions,
): Promise<StoredPage<T>> {
  const options = searching(given);
  const { page, perPage } = options.list;
  const read = await readRows(database, listStatement(statementOptions(shape, options)), options);
  const { rows, total } = readPage(read);
  const items = rows.map((row) => new StoredResource(shape, row));
  return new StoredPage(items, { totalCount: total, page, perPage, ...queryOf(given.list) });
}

/** Returns all rows of a list without pagination. */
export async function runWholeList<T>(
  database: Database,
  shape: RowShape<T>,
  given: RunListOptions,
): Promise<StoredPage<T>> {
  const options = searching(given);
  const rows = await readRows(database, wholeListStatement(statementOptions(shape, options)), options);
  return new StoredPage(
    rows.map((row) => new StoredResource(shape, row)),
    queryOf(given.list),
  );
}

/** The query `{}` matches all rows, so it is no search if their number is stored. Like others, it replaces the filter. */
const searching = (options: RunListOptions): RunListOptions =>
  options.total !== undefined && isDeepStrictEqual(options.list.query, {})
    ? { ...options, list: { ...options.list, condition: undefined, filter: undefined } }
    : options;

/** Pages without a filter come from an index; everything else requires a search. */
function readRows(
  database: Database,
  statement: Statement,
  { owner, searchedBy, list: { condition, filter } }: RunListOptions,
): Promise<EncodedRow[]> {
  const parameter = condition ? 'query' : filter === undefined ? searchedBy : 'filter';
  return parameter === undefined ? database.list(statement) : database.list(statement, { owner, parameter });
}

function statementOptions<T>(
  shape: RowShape<T>,
  { list, values: given, ...from }: RunListOptions,
): ListOptions {
  const { filterField, condition, sortField } = list;
  const values = [...given];
  const columnsOf = (field: string) => ({ [field]: `t.${columnName(field)}` });
  return {
    values,
    condition: condition?.(values),
    columns: shape.columns,
    sortColumns: columnsOf(sortField),
    filterColumns: filterField === undefined ? {} : columnsOf(filterField),
    parameters: list,
    ...from,
  };
}

/** Parameters of the list that the response repeats. */
const queryOf = ({ sortField, sortDirection, filterField, filter }: ListParameters) => ({
  sortField,
  sortDirection,
  filterField,
  filter,
});
