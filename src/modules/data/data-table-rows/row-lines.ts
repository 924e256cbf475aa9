import { Injectable } from '@nestjs/common';
import { csvLines, type Cell } from '../../../lib/csv/csv.js';
import { isoDate, type Row } from '../../../platform/database/row-shape.js';
import { SYSTEM_COLUMNS, type RowColumn, type TableLayout } from '../data-tables/table-columns.js';
import { RowQueriesRepository, type ExportedRows } from './row-queries.repository.js';

/** Formats rows of a data table as lines of a CSV file. */
@Injectable()
export class RowLines {
  constructor(private readonly rows: RowQueriesRepository) {}

  /** Yields the heading and then the lines of the rows in batches. */
  async *lines(layout: TableLayout, asked: ExportedRows, signal: AbortSignal): AsyncGenerator<string> {
    const [id, ...times] = SYSTEM_COLUMNS;
    const columns = [id!, ...layout.own, ...times];
    yield csvLines([columns.map(({ name }) => name)]);
    for await (const rows of this.rows.cursor(layout, columns, asked)) {
      signal.throwIfAborted();
      yield csvLines(rows.map((row) => cellsOf(columns, row)));
    }
  }
}

/**
 * Converts a row from PostgreSQL text to cells. Numbers and times are not user input, so they need no formula escaping.
 */
const cellsOf = (columns: readonly RowColumn[], row: Row): Cell[] =>
  columns.map(({ kind }, i) => {
    const text = row[i];
    if (text === null || text === undefined) return null;
    switch (kind) {
      case 'date':
        return new Date(isoDate(text));
      case 'number':
        return Number(text);
      case 'boolean':
        return text === 't';
      default:
        return text;
    }
  });
