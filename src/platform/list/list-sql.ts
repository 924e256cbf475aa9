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
  /** SQL of the number of rows where nothing filters them; absent, they are counted. Its parameters are among `values`. */
  total?: string;
  parameters: ListParameters;
}

/**
 * The one statement that reads a page and the number of rows on all pages, both from the same snapshot.
 *
 * The page is found first, by id, from what an index holds: conditions, order, limit. Only then are its rows read, each by
 * its key, and what the select list computes is computed for them alone. `OFFSET 0` keeps the planner from joining in any
 * other way, so that no estimate, however wrong, makes it read a whole table. Each row begins with the id and ends with the
 * total; `readPage` takes the answer apart.
 */
export function listStatement(options: ListOptions): Statement {
  const { table, columns, parameters, condition } = options;
  const { where, values } = conditionsOf(options);
  const [column, direction] = orderOf(options);
  const from = `FROM ${table} t${where}`;
  const narrowed = condition !== undefined || parameters.filter !== undefined;
  const total = (!narrowed && options.total) || `(SELECT count(*) ${from})`;
  const limit = `$${values.push(parameters.perPage)}::bigint`;
  const offset = `$${values.push(parameters.page * parameters.perPage)}::bigint`;
  const text = `SELECT p.id, ${columns}, n.total FROM (SELECT ${total} AS total) n
    LEFT JOIN (SELECT t.id, ${column} AS sorted ${from}
      ORDER BY ${column} ${direction}, t.id ${direction} LIMIT ${limit} OFFSET ${offset}) p ON true
    LEFT JOIN LATERAL (SELECT * FROM ${table} r WHERE r.id = p.id OFFSET 0) t ON true
    ORDER BY p.sorted ${direction}, p.id ${direction}`;
  // Callers shape an advanced query freely: named, it would fill the connections with statements that never come again.
  return condition === undefined ? shaped(text, values) : { text, values };
}

/** The rows of the page and the number of rows on all pages, from what a `listStatement` returned. */
export function readPage(rows: readonly Row[]): { rows: readonly Row[]; total: number } {
  const total = Number(rows[0]?.at(-1));
  return { rows: rows.filter(([id]) => id !== null).map((row) => row.slice(1)), total };
}

/** The statement that reads all rows of a list that has no pages, because a rule bounds how many there are. */
export function wholeListStatement(options: ListOptions): Statement {
  const { where, values } = conditionsOf(options);
  const [column, direction] = orderOf(options);
  const order = `ORDER BY ${column} ${direction}, t.id ${direction}`;
  return shaped(`SELECT ${options.columns} FROM ${options.table} t${where} ${order}`, values);
}

function conditionsOf(options: ListOptions): { where: string; values: unknown[] } {
  const { parameters, condition } = options;
  const values = [...options.values];
  const where = [...options.where];
  if (condition !== undefined) where.push(condition);
  else if (parameters.filterField !== undefined && parameters.filter !== undefined) {
    const column = columnOf(options.filterColumns ?? {}, parameters.filterField);
    where.push(`${column} ILIKE $${values.push(globToLike(parameters.filter))} ESCAPE '\\'`);
  }
  return { where: where.length ? ` WHERE ${where.join(' AND ')}` : '', values };
}

/** An order ends with the id, in the same direction: rows in a tie never change places, and one index serves both directions. */
function orderOf({
  sortColumns,
  parameters: { sortField, sortDirection },
}: ListOptions): [column: string, direction: 'ASC' | 'DESC'] {
  return [columnOf(sortColumns, sortField), sortDirection === 'desc' ? 'DESC' : 'ASC'];
}

function columnOf(columns: Readonly<Record<string, string>>, field: string): string {
  const column = Object.hasOwn(columns, field) ? columns[field] : undefined;
  if (column === undefined) throw new Error(`${field} has no column`);
  return column;
}
