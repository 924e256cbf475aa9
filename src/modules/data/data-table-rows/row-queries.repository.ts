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
import { noteRowCountSql, rowCountSql } from '../data-tables/data-table.columns.js';
import { DATA_TABLES } from '../data-tables/data-table.resource.js';
import { selectList, type RowColumn, type TableLayout } from '../data-tables/table-columns.js';
import { orderSql, rowCondition, type RowOrder } from './row-query.columns.js';
import type { NamedTable } from './table-entry.js';

/** Which rows, in which order, and how many of them. */
export interface AskedRows {
  query: object;
  order: RowOrder;
  limit: number;
  offset: number;
}

/** The same for an export, which may have any number. */
export type ExportedRows = Omit<AskedRows, 'limit'> & { limit?: number };

/** Rows that were found, each with the columns asked for, and how many there are in all. */
export interface FoundRows {
  rows: Row[];
  total: number;
}

/** What an answer holds at most, as a process may hold several. */
const MOST_BYTES = 16 * 1024 * 1024;
/** What a value takes beside its name and its text: quotation marks, a colon, a comma, or a number. */
const VALUE_BYTES = 20;
const NAMED = `SELECT t.id, t.name, a.name AS application_name FROM data_tables t JOIN applications a ON a.id = t.application_id
  WHERE t.application_id = $1 AND t.id = $2`;
/** Whoever waits for all others keeps those waiting who come after. */
const LOCK_TIMEOUT = `SET LOCAL lock_timeout = '1s'`;
const NONE_LEFT = noteRowCountSql('$1::text', '-n.n', `(SELECT ${rowCountSql('$1::text')} AS n) n`);
/** So many entries of an index are passed over in no time. */
const NEAR = 10_000;

/** The rows of data tables, as callers search for them. */
@Injectable()
export class RowQueriesRepository {
  constructor(private readonly database: Database) {}

  /** Rows with the given columns, and how many meet the query, from one snapshot; 400 where they are too many for an answer. */
  async find(
    layout: TableLayout,
    columns: readonly RowColumn[],
    asked: AskedRows,
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
      throw new ValidationError('limit makes too much for one answer: ask for fewer rows or fields');
    const rows = found.filter(([, , id]) => id !== null).map((row) => row.slice(3));
    return { rows, total: Number(total) };
  }

  /** Deletes the first rows by id that meet a query and come after an id, and returns columns of them, by id. */
  async remove(
    layout: TableLayout,
    columns: readonly RowColumn[],
    { query, limit, after }: { query: object; limit: number; after: string },
    transaction: Transaction,
  ): Promise<Row[]> {
    const values: unknown[] = [after];
    const condition = rowCondition(layout, query, values) ?? 'TRUE';
    // Those who delete at once lock rows in one order, and look again at what others changed meanwhile.
    const text = `WITH gone AS (
        DELETE FROM ${layout.rows} t WHERE t.id = ANY (ARRAY(
          SELECT t.id FROM ${layout.rows} t WHERE t.id > $1 AND ${condition} ORDER BY t.id
          LIMIT $${values.push(limit)}::bigint FOR UPDATE))
        RETURNING t.*),
      counted AS (${noteRowCountSql(`$${values.push(layout.id)}::text`, '-count(*)', 'gone')})
      SELECT ${selectList(columns)} FROM gone t ORDER BY t.id`;
    return transaction.run({ text, values });
  }

  /** Deletes all rows, and gives back what they took: it costs the same however many there are. */
  async truncate({ id, rows }: TableLayout, transaction: Transaction): Promise<void> {
    await transaction.run({ text: LOCK_TIMEOUT, values: [] });
    await transaction.run({ text: `TRUNCATE ${rows}`, values: [] });
    // Nobody else writes to the table now, so what is counted is what there was.
    await transaction.run(prepared(NONE_LEFT, [id]));
  }

  /** A data table by its name, and that of its application. */
  async named(applicationId: string, id: string, runner: Runner = this.database): Promise<NamedTable> {
    const [table] = await runner.rows<NamedTable>(prepared(NAMED, [applicationId, id]));
    if (!table) throw new NotFound(DATA_TABLES.title);
    return table;
  }

  /** All rows that are asked for with all their columns, some at a time, for as long as it takes. */
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

/** What a caller has to narrow where rows are not found by an index of the table. */
function searchedBy({ order, offset }: AskedRows, condition: string | undefined): string | undefined {
  if (condition !== undefined) return 'query';
  if (order.column.name !== 'id') return 'sortColumn';
  return offset > NEAR ? 'offset' : undefined;
}

/**
 * The page is found first, by id and with the size of its rows; these are read, each by its key, where they are no more than
 * an answer holds. Each row begins with the total, whether they are, and the id.
 */
function pageStatement(
  { id, rows }: TableLayout,
  columns: readonly RowColumn[],
  { order, limit, offset }: AskedRows,
  { condition, values }: { condition: string | undefined; values: unknown[] },
): Statement {
  const from = `FROM ${rows} t${condition === undefined ? '' : ` WHERE ${condition}`}`;
  const place = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const total = condition === undefined ? rowCountSql(place(id, 'text')) : `(SELECT count(*) ${from})`;
  const sorted = order.direction === 'desc' ? 'DESC' : 'ASC';
  const text = `SELECT n.total, p.fits, p.id, ${selectList(columns)} FROM (SELECT ${total} AS total) n
    LEFT JOIN (SELECT q.id, q.sorted, sum(q.bytes) OVER () <= ${MOST_BYTES} AS fits FROM (
      SELECT t.id, t.${order.column.column} AS sorted, ${bytesSql(columns)} AS bytes ${from}
      ${orderSql(order)} LIMIT ${place(limit, 'bigint')} OFFSET ${place(offset, 'bigint')}) q) p ON true
    LEFT JOIN LATERAL (SELECT * FROM ${rows} r WHERE r.id = p.id AND p.fits OFFSET 0) t ON true
    ORDER BY p.sorted ${sorted}, p.id ${sorted}`;
  // Callers shape a query freely: kept, it would take the place of statements that come again.
  return condition === undefined ? shaped(text, values) : { text, values };
}

/** SQL of how much a row `t` adds to an answer. */
function bytesSql(columns: readonly RowColumn[]): string {
  const always = columns.reduce((sum, { name }) => sum + name.length + VALUE_BYTES, 0);
  const texts = columns.filter(({ kind }) => kind === 'text');
  return [always, ...texts.map(({ column }) => `coalesce(octet_length(t.${column}), 0)`)].join(' + ');
}
