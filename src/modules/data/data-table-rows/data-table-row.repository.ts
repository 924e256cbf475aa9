import { Injectable } from '@nestjs/common';
import {
  Database,
  violatedUnique,
  type Runner,
  type Statement,
} from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row-shape.js';
import { shaped } from '../../../platform/database/statements.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { columnOfConstraint, recordRowCountSql } from '../data-tables/data-table.columns.js';
import { MAX_ROW_BYTES, textBytes } from '../data-tables/data-table.rules.js';
import type { CellValue, ColumnType } from '../data-tables/data-table.schemas.js';
import { columnsOf, selectList, type TableLayout } from '../data-tables/table-columns.js';
import type { Cell } from './row-values.js';

const ARRAYS: Readonly<Record<ColumnType, string>> = {
  string: 'text[]',
  number: 'float8[]',
  boolean: 'boolean[]',
};

/**
 * Condition that the columns still match the layout. PostgreSQL evaluates it after locking the table of rows. A
 * concurrent change of the columns has therefore committed and is visible, or has to wait.
 */
const unchanged = ({ id, version }: TableLayout, values: unknown[]): string =>
  `EXISTS (SELECT FROM data_tables d WHERE d.id = $${values.push(id)} AND d.column_version = $${values.push(version)})`;

/** Condition that the row stays within the maximum text size after the cells change. */
function isWithinSize({ own }: TableLayout, cells: readonly Cell[], values: unknown[]): string {
  const more = textBytes(cells.map(({ value }) => value));
  if (more === 0) return 'true';
  const others = own.filter(
    ({ name, dataType }) => dataType === 'string' && !cells.some(({ column }) => column.name === name),
  );
  const kept = others.map(({ column }) => ` + coalesce(octet_length(t.${column}), 0)`).join('');
  return `$${values.push(more)}::int${kept} <= ${MAX_ROW_BYTES}`;
}

/** Builds the `INSERT` of rows without its condition and `RETURNING` clause. */
function insertionOf(
  layout: TableLayout,
  rows: readonly NewRow[],
  now: Date,
): Statement & { values: unknown[] } {
  const values: unknown[] = [now, rows.map(({ id }) => id)];
  const lists = layout.own.map(
    ({ dataType }, i) => `$${values.push(rows.map(({ cells }) => cells[i]))}::${ARRAYS[dataType]}`,
  );
  const names = layout.own.map(({ column }) => `, ${column}`).join('');
  const text = `INSERT INTO ${layout.rows} AS t (id, created_at, updated_at${names})
      SELECT r.id, n.now, n.now${layout.own.map(({ column }) => `, r.${column}`).join('')}
      FROM unnest(${['$2::text[]', ...lists].join(', ')}) r (id${names}), (SELECT $1::timestamptz) n (now)`;
  return { text, values };
}

/** A new row: its ID and a value for each column of its table. */
export interface NewRow {
  id: string;
  cells: readonly CellValue[];
}

/**
 * Inserts, reads and changes rows of data tables. Statements contain only IDs and column numbers; all values are bound
 * parameters.
 */
@Injectable()
export class DataTableRowRepository {
  constructor(private readonly database: Database) {}

  /**
   * Inserts rows and returns them, or none if the columns no longer match the layout. Throws 400 if a unique value
   * already exists.
   */
  insert(
    layout: TableLayout,
    rows: readonly NewRow[],
    now: Date,
    runner: Runner = this.database,
  ): Promise<Row[]> {
    const { text: insertion, values } = insertionOf(layout, rows, now);
    const text = `WITH come AS (${insertion} WHERE ${unchanged(layout, values)} RETURNING *),
      counted AS (${recordRowCountSql(`$${values.push(layout.id)}::text`, 'count(*)', 'come')})
      SELECT ${selectList(columnsOf(layout))} FROM come t`;
    return this.write(layout, { text, values }, runner);
  }

  /**
   * Inserts the rows whose unique values are not taken and returns their IDs. The caller must prevent concurrent
   * changes of the columns.
   */
  async insertNew(
    layout: TableLayout,
    rows: readonly NewRow[],
    now: Date,
    transaction: Runner,
  ): Promise<string[]> {
    const { text, values } = insertionOf(layout, rows, now);
    const counted = recordRowCountSql(`$${values.push(layout.id)}::text`, 'count(*)', 'come');
    const come = `${text} ON CONFLICT DO NOTHING RETURNING t.id`;
    const inserted = await transaction.run(
      shaped(`WITH come AS (${come}), counted AS (${counted}) SELECT id FROM come`, values),
    );
    return inserted.map(([id]) => id!);
  }

  /** Returns a row, or `undefined` if it does not exist. */
  async find(layout: TableLayout, id: string): Promise<Row | undefined> {
    const text = `SELECT ${selectList(columnsOf(layout))} FROM ${layout.rows} t WHERE t.id = $1`;
    const [row] = await this.database.run(shaped(text, [id]));
    return row;
  }

  /** Like `find`; other transactions cannot change the row until this one ends. */
  async lock(layout: TableLayout, id: string, runner: Runner): Promise<Row | undefined> {
    const text = `SELECT ${selectList(columnsOf(layout))} FROM ${layout.rows} t WHERE t.id = $1 FOR UPDATE`;
    const [row] = await runner.run(shaped(text, [id]));
    return row;
  }

  /**
   * Changes cells of a row and returns it. Returns `undefined` if it does not exist, would be too large, or the columns
   * no longer match the layout.
   */
  async change(
    layout: TableLayout,
    id: string,
    cells: readonly Cell[],
    now: Date,
    runner: Runner = this.database,
  ): Promise<Row | undefined> {
    const values: unknown[] = [id, now];
    const set = cells.map(({ column: { column }, value }) => `, ${column} = $${values.push(value)}`).join('');
    const text = `UPDATE ${layout.rows} t SET updated_at = $2${set}
      WHERE t.id = $1 AND ${isWithinSize(layout, cells, values)} AND ${unchanged(layout, values)}
      RETURNING ${selectList(columnsOf(layout))}`;
    const [row] = await this.write(layout, { text, values }, runner);
    return row;
  }

  /** Deletes a row and returns it, or `undefined` if it does not exist. */
  async remove(layout: TableLayout, id: string, runner: Runner = this.database): Promise<Row | undefined> {
    const text = `WITH gone AS (DELETE FROM ${layout.rows} t WHERE t.id = $1 RETURNING *),
      counted AS (${recordRowCountSql('$2::text', '-count(*)', 'gone')})
      SELECT ${selectList(columnsOf(layout))} FROM gone t`;
    const [row] = await runner.run(shaped(text, [id, layout.id]));
    return row;
  }

  private async write({ own }: TableLayout, { text, values }: Statement, runner: Runner): Promise<Row[]> {
    try {
      return await runner.run(shaped(text, values));
    } catch (error) {
      const refused = columnOfConstraint(violatedUnique(error));
      const taken = own.find(({ column }) => column === refused);
      throw taken ? new ValidationError(`dataTableRow.${taken.name} is not available`) : error;
    }
  }
}
