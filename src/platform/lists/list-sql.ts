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
  /**
   * Those who hold the rows, where they are several and every row of theirs is in the list: SQL of their ids, the column
   * that says whose a row is, and the conditions beside it. The page is then merged from the first rows of each, in order.
   */
  holders?: { ids: string; column: string; where: readonly string[] };
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
 *
 * What is searched for is found once, whatever the order, for its number and for the page: in an order that has an index, the
 * planner would rather walk through everything than find the few that match by an index of theirs.
 */
export function listStatement(options: ListOptions): Statement {
  const { table, columns, parameters, condition } = options;
  const { search, values } = searchOf(options);
  const [column, direction] = orderOf(options);
  const from = fromOf(table, [...options.where, ...search]);
  const isSearch = search.length > 0;
  const found = `WITH found AS MATERIALIZED (SELECT t.id, ${column} AS sorted ${from}) `;
  const total = isSearch ? '(SELECT count(*) FROM found)' : (options.total ?? `(SELECT count(*) ${from})`);
  const limit = `$${values.push(parameters.perPage)}::bigint`;
  const offset = `$${values.push(parameters.page * parameters.perPage)}::bigint`;
  const order = `ORDER BY ${column} ${direction}, t.id ${direction}`;
  const merged = ({ ids, column: holder, where }: NonNullable<ListOptions['holders']>) =>
    `SELECT e.id, e.sorted FROM unnest(${ids}) h (id) CROSS JOIN LATERAL (SELECT t.id, ${column} AS sorted
      ${fromOf(table, [`${holder} = h.id`, ...where])} ${order} LIMIT ${limit} + ${offset}) e
      ORDER BY e.sorted ${direction}, e.id ${direction}`;
  const listed = options.holders
    ? merged(options.holders)
    : `SELECT t.id, ${column} AS sorted ${from} ${order}`;
  const rows = isSearch
    ? `SELECT t.id, t.sorted FROM found t ORDER BY t.sorted ${direction}, t.id ${direction}`
    : listed;
  const text = `${isSearch ? found : ''}SELECT p.id, ${columns}, n.total FROM (SELECT ${total} AS total) n
    LEFT JOIN (${rows} LIMIT ${limit} OFFSET ${offset}) p ON true
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
  const { search, values } = searchOf(options);
  const [column, direction] = orderOf(options);
  const from = fromOf(options.table, [...options.where, ...search]);
  return shaped(
    `SELECT ${options.columns} ${from} ORDER BY ${column} ${direction}, t.id ${direction}`,
    values,
  );
}

const fromOf = (table: string, where: readonly string[]): string =>
  `FROM ${table} t${where.length ? ` WHERE ${where.join(' AND ')}` : ''}`;

/** What a caller searches for, as conditions, and the values of the statement with those that it binds. */
function searchOf({ parameters, condition, filterColumns, values: given }: ListOptions): {
  search: string[];
  values: unknown[];
} {
  const values = [...given];
  if (condition !== undefined) return { search: [condition], values };
  if (parameters.filterField === undefined || parameters.filter === undefined) return { search: [], values };
  const column = columnOf(filterColumns ?? {}, parameters.filterField);
  return {
    search: [`${column} ILIKE $${values.push(globToLike(parameters.filter))} ESCAPE '\\'`],
    values,
  };
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
