import type { Database } from '../database/database.js';
import { errorCode } from '../database/error-code.js';
import { columnName } from '../database/naming.js';
import type { RowShape } from '../database/row-shape.js';
import { ValidationError } from '../errors/errors.js';
import { Stored, StoredPage } from '../response/answers.js';
import type { ListParameters } from './list-query.js';
import { listStatement, readPage, wholeListStatement, type ListOptions } from './list-sql.js';

/** PostgreSQL's code of a statement that took longer than it may. */
const STATEMENT_TIMEOUT = '57014';

export interface RunListOptions extends Pick<ListOptions, 'holders'> {
  table: string;
  /** Conditions on `t`, their parameters numbered from 1. */
  where: readonly string[];
  values: readonly unknown[];
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
  const statement = listStatement(statementOptions(shape, options));
  const read = await database.run(statement).catch((error: unknown) => {
    throw tooWide(error, options.list) ?? error;
  });
  const { rows, total } = readPage(read);
  const items = rows.map((row) => new Stored(shape, row));
  return new StoredPage(items, { totalCount: total, page, perPage, ...askedOf(options.list) });
}

/** What a caller is told whose search did not end in time: to search less, not to try again. */
function tooWide(error: unknown, { condition, filter }: ListParameters): ValidationError | undefined {
  if (errorCode(error) !== STATEMENT_TIMEOUT || (!condition && filter === undefined)) return undefined;
  const parameter = condition ? 'query' : 'filter';
  return new ValidationError(`${parameter} took too long to search for: ask for less, or by another field`);
}

/** All rows of a list that has no pages. */
export async function runWholeList<T>(
  database: Database,
  shape: RowShape<T>,
  options: RunListOptions,
): Promise<StoredPage<T>> {
  const rows = await database.run(wholeListStatement(statementOptions(shape, options)));
  return new StoredPage(
    rows.map((row) => new Stored(shape, row)),
    askedOf(options.list),
  );
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
