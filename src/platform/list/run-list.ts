import type { Database } from '../database/database.js';
import { columnName } from '../database/naming.js';
import type { RowShape } from '../database/row-shape.js';
import { Stored, StoredPage } from '../response/answers.js';
import type { ListParameters } from './list-query.js';
import { listStatement, readPage } from './list-sql.js';

export interface RunListOptions {
  table: string;
  /** Conditions on `t`, their parameters numbered from 1. */
  where: readonly string[];
  values: readonly unknown[];
  /** Fields that the list's specification allows; each is a column of the table. */
  list: ListParameters;
}

/** A page of rows and the number of all that match, from one statement and so from one snapshot. */
export async function runList<T>(
  database: Database,
  shape: RowShape<T>,
  { list, ...from }: RunListOptions,
): Promise<StoredPage<T>> {
  const { filterField, filter, condition, page, perPage, sortField, sortDirection } = list;
  const values = [...from.values];
  const columnOf = (field: string) => ({ [field]: `t.${columnName(field)}` });
  const statement = listStatement({
    ...from,
    values,
    condition: condition?.(values),
    columns: shape.columns,
    sortColumns: columnOf(sortField),
    filterColumns: filterField === undefined ? {} : columnOf(filterField),
    parameters: list,
  });
  const { rows, total } = readPage(await database.run(statement), list);
  const items = rows.map((row) => new Stored(shape, row));
  return new StoredPage(items, {
    totalCount: total,
    page,
    perPage,
    sortField,
    sortDirection,
    filterField,
    filter,
  });
}

/** The rows of a list that has no pages, from one statement. */
export async function runWholeList<T>(
  database: Database,
  shape: RowShape<T>,
  options: RunListOptions,
): Promise<StoredPage<T>> {
  const { items, envelope } = await runList(database, shape, options);
  const { totalCount: _all, page: _first, perPage: _most, ...rest } = envelope;
  return new StoredPage(items, rest);
}
