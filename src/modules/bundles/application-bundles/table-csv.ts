import { Injectable } from '@nestjs/common';
import type { Placeholders } from '../../../platform/bundles/placeholders.js';
import { exactCsvLines } from '../../../lib/csv/csv.js';
import type { Row } from '../../../platform/database/row-shape.js';
import type { DataTableColumn } from '../../data/data-tables/data-table.schemas.js';
import {
  ownColumns,
  rowsTable,
  SYSTEM_COLUMNS,
  type RowColumn,
  type TableLayout,
} from '../../data/data-tables/table-columns.js';
import { RowQueriesRepository } from '../../data/data-table-rows/row-queries.repository.js';

/** Data table row from the database, with PostgreSQL text values. */
export interface TableRow {
  applicationId: string;
  id: string;
  columns: string;
  numbers: string;
}

/** Writes data table rows to CSV: their IDs and the values of the table's own columns. */
@Injectable()
export class TableCsv {
  constructor(private readonly rows: RowQueriesRepository) {}

  /** Yields all rows in order of ID, with IDs replaced by placeholders. */
  async *lines(table: TableRow, placeholders: Placeholders, signal: AbortSignal): AsyncGenerator<string> {
    const layout = layoutOf(table);
    const id = SYSTEM_COLUMNS[0]!;
    const columns = [id, ...layout.own];
    yield exactCsvLines([columns.map(({ name }) => name)]);
    const asked = { query: {}, order: { column: id, direction: 'asc' as const }, offset: 0 };
    for await (const rows of this.rows.cursor(layout, columns, asked)) {
      signal.throwIfAborted();
      yield exactCsvLines(rows.map((row) => cellsOf(columns, row, placeholders)));
    }
  }
}

function layoutOf({ applicationId, id, columns, numbers }: TableRow): TableLayout {
  const own = ownColumns(JSON.parse(columns) as DataTableColumn[], JSON.parse(numbers) as number[]);
  return { id, applicationId, rows: rowsTable(id), version: 0, own, hasTriggers: false };
}

function cellsOf(columns: readonly RowColumn[], row: Row, placeholders: Placeholders) {
  return columns.map(({ kind }, i) => {
    const text = row[i] ?? null;
    if (text === null || kind === 'plain') return text;
    if (kind === 'number') return Number(text);
    return kind === 'boolean' ? text === 't' : placeholders.replaceInText(text);
  });
}
