import { Injectable } from '@nestjs/common';
import {
  Database,
  type Runner,
  type Statement,
  type Transaction,
} from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row-shape.js';
import { prepared, shaped } from '../../../platform/database/statements.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import { recordRowCountSql, rowCountSql } from '../data-tables/data-table.columns.js';
import { DATA_TABLES } from '../data-tables/data-table.resource.js';
import { selectList, type RowColumn, type TableLayout } from '../data-tables/table-columns.js';
import { orderSql, rowCondition, type RowOrder } from './row-query.columns.js';
import type { NamedTable } from './table-entry.js';

/** Query, order and page of the rows to find. */
export interface RowsRequest {
  query: object;
  order: RowOrder;
  limit: number;
  offset: number;
}

/** Rows of an export, whose number is unlimited by default. */
export type ExportedRows = Omit<RowsRequest, 'limit'> & { limit?: number };

/** Rows of a page with the requested columns, and the total number of matching rows. */
export interface FoundRows {
  rows: Row[];
  total: number;
}

/** Maximum size of a response. A process may hold several in memory. */
const MAX_BYTES = 16 * 1024 * 1024;
/** JSON overhead per value in addition to its name and text: quotation marks, colon and comma, or a number. */
const VALUE_BYTES = 20;
const TABLE_NAME = `SELECT t.id, t.name, a.name AS application_name FROM data_tables t JOIN applications a ON a.id = t.application_id
  WHERE t.application_id = $1 AND t.id = $2`;
/** Limits the wait for an exclusive lock, because later statements queue behind the waiting one. */
const LOCK_TIMEOUT = `SET LOCAL lock_timeout = '1s'`;
const RESET_ROW_COUNT = recordRowCountSql('$1::text', '-n.n', `(SELECT ${rowCountSql('$1::text')} AS n) n`);
/** Number of index entries that can be skipped quickly. */
const MAX_SKIPPED_ENTRIES = 10_000;

/** Finds, deletes and truncates rows of data tables. */
@Injectable()
export class RowQueriesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns rows with the given columns and the number of matching rows, from one snapshot. Throws 400 if the response
   * would be too large.
   */
  async find(
    layout: TableLayout,
    columns: readonly RowColumn[],
    asked: RowsRequest,
    owner: string,
  ): Promise<FoundRows> {
    const values: unknown[] = [];
    const condition = rowCondition(layout, asked.query, values);
    const statement = pageStatement(layout, columns, asked, { condition, values });
    const parameter = searchedBy(asked, condition);
    const found = await (parameter === undefined
      ? this.database.run(statement)
      : this.database.search(statement, { owner, parameter }));
    const [total, fits] = found[0]!;
    if (fits === 'f')
      throw new ValidationError('limit exceeds the maximum response size: request fewer rows or fields');
    const rows = found.filter(([, , id]) => id !== null).map((row) => row.slice(3));
    return { rows, total: Number(total) };
  }

  /**
   * Deletes the first rows, by ID, that match a query and follow an ID. Returns the given columns of the deleted rows
   * in order of ID.
   */
  async remove(
    layout: TableLayout,
    columns: readonly RowColumn[],
    { query, limit, after }: { query: object; limit: number; after: string },
    transaction: Transaction,
  ): Promise<Row[]> {
    const values: unknown[] = [after];
    const condition = rowCondition(layout, query, values) ?? 'TRUE';
    // Concurrent deletions lock rows in the same order and re-check rows that others changed.
    const text = `WITH gone AS (
        DELETE FROM ${layout.rows} t WHERE t.id = ANY (ARRAY(
          SELECT t.id FROM ${layout.rows} t WHERE t.id > $1 AND ${condition} ORDER BY t.id
          LIMIT $${values.push(limit)}::bigint FOR UPDATE))
        RETURNING t.*),
      counted AS (${recordRowCountSql(`$${values.push(layout.id)}::text`, '-count(*)', 'gone')})
      SELECT ${selectList(columns)} FROM gone t ORDER BY t.id`;
    return transaction.run({ text, values });
  }

  /** Deletes all rows and frees their space. The cost is independent of the number of rows. */
  async truncate({ id, rows }: TableLayout, transaction: Transaction): Promise<void> {
    await transaction.run({ text: LOCK_TIMEOUT, values: [] });
    await transaction.run({ text: `TRUNCATE ${rows}`, values: [] });
    // The table is locked against writes, so the count is that of the deleted rows.
    await transaction.run(prepared(RESET_ROW_COUNT, [id]));
  }

  /** Returns the names of a data table and its application. Throws 404 if the table does not exist. */
  async named(applicationId: string, id: string, runner: Runner = this.database): Promise<NamedTable> {
    const [table] = await runner.rows<NamedTable>(prepared(TABLE_NAME, [applicationId, id]));
    if (!table) throw new NotFound(DATA_TABLES.title);
    return table;
  }

  /** Iterates over all matching rows with the given columns in batches, without a time limit. */
  cursor(layout: TableLayout, columns: readonly RowColumn[], asked: ExportedRows): AsyncGenerator<Row[]> {
    const values: unknown[] = [];
    const condition = rowCondition(layout, asked.query, values);
    const where = condition === undefined ? '' : ` WHERE ${condition}`;
    const limit = `$${values.push(asked.limit ?? null)}::bigint`;
    const offset = `$${values.push(asked.offset)}::bigint`;
    const text = `SELECT ${selectList(columns)} FROM ${layout.rows} t${where} ${orderSql(asked.order)}
      LIMIT ${limit} OFFSET ${offset}`;
    return this.database.cursor({ text, values });
  }
}

/** Returns the parameter that the caller must narrow if the rows are not found by an index of the table. */
function searchedBy({ order, offset }: RowsRequest, condition: string | undefined): string | undefined {
  if (condition !== undefined) return 'query';
  if (order.column.name !== 'id') return 'sortColumn';
  return offset > MAX_SKIPPED_ENTRIES ? 'offset' : undefined;
}

/**
 * Builds the statement for a page of rows. It first finds the IDs and the total size of the page. It reads the rows by
 * key only if they fit into a response. Each result row begins with the total, whether the page fits, and the ID.
 */
function pageStatement(
  { id, rows }: TableLayout,
  columns: readonly RowColumn[],
  { order, limit, offset }: RowsRequest,
  { condition, values }: { condition: string | undefined; values: unknown[] },
): Statement {
  const from = `FROM ${rows} t${condition === undefined ? '' : ` WHERE ${condition}`}`;
  const place = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const total = condition === undefined ? rowCountSql(place(id, 'text')) : `(SELECT count(*) ${from})`;
  const sorted = order.direction === 'desc' ? 'DESC' : 'ASC';
  const text = `SELECT n.total, p.fits, p.id, ${selectList(columns)} FROM (SELECT ${total} AS total) n
    LEFT JOIN (SELECT q.id, q.sorted, sum(q.bytes) OVER () <= ${MAX_BYTES} AS fits FROM (
      SELECT t.id, t.${order.column.column} AS sorted, ${bytesSql(columns)} AS bytes ${from}
      ${orderSql(order)} LIMIT ${place(limit, 'bigint')} OFFSET ${place(offset, 'bigint')}) q) p ON true
    LEFT JOIN LATERAL (SELECT * FROM ${rows} r WHERE r.id = p.id AND p.fits OFFSET 0) t ON true
    ORDER BY p.sorted ${sorted}, p.id ${sorted}`;
  // Queries vary, so preparing these statements would evict reusable ones.
  return condition === undefined ? shaped(text, values) : { text, values };
}

/** SQL of the size that a row `t` adds to a response. */
function bytesSql(columns: readonly RowColumn[]): string {
  const always = columns.reduce((sum, { name }) => sum + name.length + VALUE_BYTES, 0);
  const texts = columns.filter(({ kind }) => kind === 'text');
  return [always, ...texts.map(({ column }) => `coalesce(octet_length(t.${column}), 0)`)].join(' + ');
}
