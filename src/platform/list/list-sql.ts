import type { Statement } from '../database/database.js';
import type { Row } from '../database/row-shape.js';
import { shaped } from '../database/statements.js';
import { globToLike } from './glob.js';
import type { ListParameters } from './list-query.js';

/** A list as a statement reads it. All SQL in it is trusted; what a caller gave is in `values` and `parameters`. */
export interface ListOptions {
  /** The table, which the statement calls `t`. */
  table: string;
  /** The select list. */
  columns: string;
  /** Conditions on `t`; their parameters are `values`, numbered from 1. */
  where: readonly string[];
  values: readonly unknown[];
  /** The column of each field that can be sorted by. */
  sortColumns: Readonly<Record<string, string>>;
  /** The column of each field that can be filtered. */
  filterColumns?: Readonly<Record<string, string>>;
  /** What an advanced query compiled to; it replaces the filter, and its parameters are among `values`. */
  condition?: string;
  parameters: ListParameters;
}

/**
 * The one statement that reads a page and the number of rows on all pages, both from the same snapshot. Each row ends with
 * that number; `readPage` takes the answer apart. A page past the end is answered with the first one, so that there
 * is a row to carry the number.
 */
export function listStatement(options: ListOptions): Statement {
  const { table, columns, parameters, condition } = options;
  const values = [...options.values];
  const where = [...options.where];
  if (condition !== undefined) where.push(condition);
  else if (parameters.filterField !== undefined && parameters.filter !== undefined) {
    const column = columnOf(options.filterColumns ?? {}, parameters.filterField);
    where.push(`${column} ILIKE $${values.push(globToLike(parameters.filter))} ESCAPE '\\'`);
  }
  const from = `FROM ${table} t${where.length ? ` WHERE ${where.join(' AND ')}` : ''}`;
  const limit = `$${values.push(parameters.perPage)}::bigint`;
  const offset = `$${values.push(parameters.page * parameters.perPage)}::bigint`;
  const text =
    `WITH total AS (SELECT count(*) ${from}) SELECT ${columns}, (SELECT count FROM total) ${from} ` +
    `ORDER BY ${orderOf(options)} LIMIT ${limit} OFFSET (SELECT CASE WHEN ${offset} < count THEN ${offset} ELSE 0 END FROM total)`;
  // Callers shape an advanced query freely: named, it would fill the connections with statements that never come again.
  return condition === undefined ? shaped(text, values) : { text, values };
}

/** The rows of the page and the number of rows on all pages, from what a `listStatement` returned. */
export function readPage(
  rows: readonly Row[],
  { page, perPage }: ListParameters,
): { rows: readonly Row[]; total: number } {
  const total = Number(rows[0]?.at(-1) ?? 0);
  return { rows: page * perPage < total ? rows : [], total };
}

/** Ends with the id, in the same direction: rows in a tie never change places, and one index serves both directions. */
function orderOf({ sortColumns, parameters: { sortField, sortDirection } }: ListOptions): string {
  const direction = sortDirection === 'desc' ? 'DESC' : 'ASC';
  const column = columnOf(sortColumns, sortField);
  return column === 't.id' ? `t.id ${direction}` : `${column} ${direction}, t.id ${direction}`;
}

function columnOf(columns: Readonly<Record<string, string>>, field: string): string {
  const column = Object.hasOwn(columns, field) ? columns[field] : undefined;
  if (column === undefined) throw new Error(`${field} has no column`);
  return column;
}
