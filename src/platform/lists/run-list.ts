import type { Database, Statement } from '../database/database.js';
import { columnName } from '../database/naming.js';
import type { Row, RowShape } from '../database/row-shape.js';
import { Stored, StoredPage } from '../responses/answers.js';
import type { ListParameters } from './list-query.js';
import { listStatement, readPage, wholeListStatement, type ListOptions } from './list-sql.js';

export interface RunListOptions extends Pick<ListOptions, 'holders'> {
  table: string;
  /** Whose rows they are in the end, which is who pays for a search among them. */
  owner: string;
  /** Conditions on `t`, their parameters numbered from 1. */
  where: readonly string[];
  values: readonly unknown[];
  /** The parameter by which a caller searches with one of these conditions. */
  searchedBy?: string;
  /** Fields that the list's specification allows; each is a column of the table. */
  list: ListParameters;
  /** SQL of the number of rows where the caller filters nothing, from kept counts; absent, they are counted. */
  total?: string;
}

/** A page of rows and the number of all that match, from one statement and so from one snapshot. */
export async function runList<T>(
  database: Database,
  shape: RowShape<T>,
  options: RunListOptions,
): Promise<StoredPage<T>> {
  const { page, perPage } = options.list;
  const read = await readRows(database, listStatement(statementOptions(shape, options)), options);
  const { rows, total } = readPage(read);
  const items = rows.map((row) => new Stored(shape, row));
  return new StoredPage(items, { totalCount: total, page, perPage, ...askedOf(options.list) });
}

/** All rows of a list that has no pages. */
export async function runWholeList<T>(
  database: Database,
  shape: RowShape<T>,
  options: RunListOptions,
): Promise<StoredPage<T>> {
  const rows = await readRows(database, wholeListStatement(statementOptions(shape, options)), options);
  return new StoredPage(
    rows.map((row) => new Stored(shape, row)),
    askedOf(options.list),
  );
}

/** An index has the page that nobody filters; what a caller searches for has to be looked for. */
function readRows(
  database: Database,
  statement: Statement,
  { owner, searchedBy, list: { condition, filter } }: RunListOptions,
): Promise<Row[]> {
  const parameter = condition ? 'query' : filter === undefined ? searchedBy : 'filter';
  return parameter === undefined ? database.run(statement) : database.search(statement, { owner, parameter });
}

function statementOptions<T>(shape: RowShape<T>, { list, ...from }: RunListOptions): ListOptions {
  const { filterField, condition, sortField } = list;
  const values = [...from.values];
  const columnsOf = (field: string) => ({ [field]: `t.${columnName(field)}` });
  return {
    ...from,
    values,
    condition: condition?.(values),
    columns: shape.columns,
    sortColumns: columnsOf(sortField),
    filterColumns: filterField === undefined ? {} : columnsOf(filterField),
    parameters: list,
  };
}

/** What an answer repeats of what its list was asked for. */
const askedOf = ({ sortField, sortDirection, filterField, filter }: ListParameters) => ({
  sortField,
  sortDirection,
  filterField,
  filter,
});
