import type { Statement } from '../database/database.js';
import type { EncodedRow } from '../database/encoded-row.js';
import { shaped } from '../database/statements.js';
import { globToLike } from './glob.js';
import type { ListParameters } from './list-query.js';

/** Options of a list statement. All SQL is trusted; caller input is only in `values` and `parameters`. */
export interface ListOptions {
  /** Table, with the alias `t`. */
  table: string;
  /** SQL for the rows that can match, in place of the table, if an index finds them. */
  found?: string;
  /** SQL of the select list. */
  columns: string;
  /** Conditions on `t`, with `values` as parameters, numbered from 1. */
  where: readonly string[];
  values: readonly unknown[];
  /** Column of each sortable field. */
  sortColumns: Readonly<Record<string, string>>;
  /** Column of each filterable field. */
  filterColumns?: Readonly<Record<string, string>>;
  /** Condition of an advanced query, which replaces the filter. Its parameters are among `values`. */
  condition?: string;
  /**
   * Owners of the rows, if the list contains all rows of several owners: SQL of their IDs, the column with the owner,
   * and additional conditions. The page is then merged from the first rows of each owner, in order.
   */
  holders?: { ids: string; column: string; where: readonly string[] };
  /** SQL of the number of rows without a filter; if absent, the rows are counted. Its parameters are among `values`. */
  total?: string;
  parameters: ListParameters;
  /** Parameter named if the rows exceed a response: `perPage`, or `filter` without pagination, unless given. */
  sizedBy?: string;
}

/**
 * Builds a single statement that reads a page and the total number of rows from the same snapshot.
 *
 * First finds the page by ID with data from an index: conditions, order and limit. Then reads its rows by key and
 * computes the select list for them only. `OFFSET 0` prevents other join orders, so that no wrong estimate makes the
 * planner scan the whole table. Each row starts with the ID and ends with the total; `readPage` splits them.
 *
 * Search results are materialized once, for both the total and the page. With an index on the sort order, the planner
 * would otherwise scan all rows instead of finding the few matching ones through their own index.
 */
export function listStatement(options: ListOptions): Statement {
  const { table, found: few, columns, parameters, condition, sizedBy = 'perPage' } = options;
  const { search, values } = searchOf(options);
  const [column, direction] = orderOf(options);
  const from = fromOf(few ?? table, [...options.where, ...search]);
  const isSearch = search.length > 0 || few !== undefined;
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
  // Advanced queries vary freely: as named statements, they would fill connections with plans that are never reused.
  return { sizedBy, ...(condition === undefined ? shaped(text, values) : { text, values }) };
}

/** Returns the rows of the page and the total number of rows from the result of a `listStatement`. */
export function readPage(rows: readonly EncodedRow[]): { rows: EncodedRow[]; total: number } {
  const total = Number(rows[0]?.text(-1));
  return { rows: rows.filter((row) => row.text(0) !== null).map((row) => row.inner()), total };
}

/** Builds the statement that reads all rows of a list without pagination, whose number is limited by a rule. */
export function wholeListStatement(options: ListOptions): Statement {
  const { search, values } = searchOf(options);
  const [column, direction] = orderOf(options);
  const from = fromOf(options.table, [...options.where, ...search]);
  const text = `SELECT ${options.columns} ${from} ORDER BY ${column} ${direction}, t.id ${direction}`;
  return { ...shaped(text, values), sizedBy: options.sizedBy ?? 'filter' };
}

const fromOf = (table: string, where: readonly string[]): string =>
  `FROM ${table} t${where.length ? ` WHERE ${where.join(' AND ')}` : ''}`;

/** Returns the search of a caller as conditions, and the values of the statement including those it binds. */
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

/** Sorts ties by ID in the same direction, so that the order is stable and one index serves both directions. */
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
