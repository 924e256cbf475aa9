import type { Database } from '../database/database.js';
import { columnName } from '../database/naming.js';
import type { RowShape } from '../database/row-shape.js';
import { prepared } from '../database/statements.js';
import { Stored, StoredPage } from '../response/answers.js';
import type { ListParameters } from './list-query.js';

export interface ListOptions {
  table: string;
  /** Conditions on `t`, their parameters numbered from 1. */
  where: readonly string[];
  values: readonly unknown[];
  list: ListParameters;
}

/**
 * A page of rows and the number of all that match, from one statement and so from one snapshot. The total comes back
 * also where the page is empty: it stands in a row of its own without an id.
 */
export async function runList<T>(database: Database, shape: RowShape<T>, { table, where, values, list }: ListOptions): Promise<StoredPage<T>> {
  const { sortField, sortDirection, page, perPage, filterField, filter } = list;
  const parameters = [...values];
  const conditions = [...where];
  if (filter && filterField) {
    const like = filter.replace(/[%_\\]/g, '\\$&').replace(/\*/g, '%').replace(/\?/g, '_');
    conditions.push(`t.${columnName(filterField)} ILIKE $${parameters.push(like)}`);
  }
  const from = `FROM ${table} t WHERE ${conditions.join(' AND ')}`;
  const order = sortField === 'id' ? `t.id ${sortDirection}` : `t.${columnName(sortField)} ${sortDirection}, t.id ${sortDirection}`;
  const text = `SELECT p.*, c.total FROM (SELECT count(*) AS total ${from}) c LEFT JOIN LATERAL (
    SELECT ${shape.columns} ${from} ORDER BY ${order} LIMIT $${parameters.push(perPage)} OFFSET $${parameters.push(page * perPage)}) p ON true`;
  const rows = await database.run(prepared(text, parameters));
  const totalCount = Number(rows[0]?.at(-1) ?? 0);
  const items = rows.filter((row) => row[0] !== null).map((row) => new Stored(shape, row));
  return new StoredPage(items, {
    totalCount,
    page,
    perPage,
    sortField,
    sortDirection,
    ...(filter ? { filterField, filter } : {}),
  });
}
