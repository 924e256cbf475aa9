import { Injectable } from '@nestjs/common';
import { CsvError, parse } from 'csv-parse';
import { Readable } from 'node:stream';
import { BUNDLE_OPTIONS } from '../../../../platform/bundles/bundled.js';
import { utf8Of } from '../../../../lib/yaml/utf8.js';
import type { Transaction } from '../../../../platform/database/database.js';
import { ApiError, ValidationError } from '../../../../lib/errors/errors.js';
import { newId } from '../../../../platform/repositories/resource.js';
import { inspectText } from '../../../../platform/server/read-body.js';
import {
  DataTableRowRepository,
  type NewRow,
} from '../../../data/data-table-rows/data-table-row.repository.js';
import {
  checkValue,
  MAX_ROW_BYTES,
  textBytes,
  tooLarge,
} from '../../../data/data-tables/data-table.rules.js';
import type { CellValue, DataTableColumn } from '../../../data/data-tables/data-table.schemas.js';
import { DataTablesRepository } from '../../../data/data-tables/data-tables.repository.js';
import {
  ownColumns,
  rowsTable,
  type OwnColumn,
  type TableLayout,
} from '../../../data/data-tables/table-columns.js';
import { isIncluded, type ImportTask } from '../asked/import-task.js';
import type { NewIds } from '../fetched/new-ids.js';
import type { PlannedImport, PlannedRow } from '../planned/planned-rows.js';
import type { Problems } from '../problems.js';

const BATCH = 1_000;
/** Maximum number of UTF-8 bytes of a CSV record. */
const MAX_ROW_LENGTH = 1024 * 1024;
const ID = /^[\da-fA-F]{24}$/;
const [, , ROWS_OPTION] = BUNDLE_OPTIONS;

/** CSV cell: a quoted empty cell is an empty text, an unquoted one is `null`. */
type WrittenCell = string | null;

/** Record of a CSV file with its last line number. */
interface CsvRecord {
  record: WrittenCell[];
  info: { lines: number };
}

/** Creates and fills the tables that hold data table rows. */
@Injectable()
export class ImportedTables {
  constructor(
    private readonly tables: DataTablesRepository,
    private readonly rows: DataTableRowRepository,
  ) {}

  /** Creates the rows table of an inserted data table and fills it from the bundle. */
  async fill(
    task: ImportTask,
    { id, about: { name }, row, content }: PlannedRow,
    { files, ids }: Pick<PlannedImport, 'files' | 'ids'>,
    problems: Problems,
    transaction: Transaction,
  ): Promise<void> {
    const { columns, columnNumbers } = row as { columns: DataTableColumn[]; columnNumbers: number[] };
    const own = ownColumns(columns, columnNumbers);
    await this.tables.createRows(id, own, transaction);
    if (content === undefined || !isIncluded(task, 'DataTableRow', ROWS_OPTION)) return;
    const layout = {
      id,
      applicationId: task.application.id,
      rows: rowsTable(id),
      version: columns.length,
      own,
      hasTriggers: false,
    };
    const refuse = (line: number, message: string) =>
      problems.add({ type: 'DataTableRow', name, message: `Line ${line} of ${content}: ${message}` });
    if (!files.has(content)) {
      // Bundles exported without rows may still contain the path of the rows file.
      problems.recordChange({
        type: 'DataTableRow',
        name,
        message: `importBundle has no file ${content.slice(0, 255)}`,
      });
      return;
    }
    const rows = records(await files.read(content), content);
    await this.insert(layout, rows, ids, refuse, transaction);
  }

  private async insert(
    layout: TableLayout,
    records: AsyncIterable<CsvRecord>,
    ids: NewIds,
    refuse: (line: number, message: string) => void,
    transaction: Transaction,
  ): Promise<void> {
    const now = new Date();
    let batch: NewRow[] = [];
    let lines: number[] = [];
    const store = async () => {
      const stored = new Set(await this.rows.insertNew(layout, batch, now, transaction));
      batch.forEach(({ id }, i) => {
        // If several rows have the same ID, only one is stored.
        if (!stored.delete(id)) refuse(lines[i]!, 'a value that must be unique already exists');
      });
      batch = [];
      lines = [];
    };
    let header: readonly WrittenCell[] | undefined;
    for await (const { record, info } of records) {
      if (!header) {
        header = record;
        continue;
      }
      try {
        batch.push(
          rowOf(
            layout.own,
            header,
            record.map((text) => text && ids.replaceIn(text)),
          ),
        );
        lines.push(info.lines);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refuse(info.lines, error.message);
      }
      if (batch.length === BATCH) await store();
    }
    if (batch.length > 0) await store();
  }
}

async function* records(content: Readable, path: string): AsyncGenerator<CsvRecord> {
  const parser = parse({
    info: true,
    skip_empty_lines: true,
    relax_column_count_less: true,
    max_record_size: MAX_ROW_LENGTH,
    cast: (text: string, { quoting }: { quoting: boolean }) => (text === '' && !quoting ? null : text),
  });
  const text = Readable.from(utf8Of(content, path));
  text.on('error', (error: Error) => parser.destroy(error));
  try {
    yield* text.pipe(parser) as AsyncIterable<CsvRecord>;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const at = error instanceof CsvError ? ` at line ${String(error.lines)}` : '';
    throw new ValidationError(`${path} is not valid CSV${at}`);
  } finally {
    text.destroy();
  }
}

/** Converts a CSV record to a row, using the column names of the header. Throws `400` if it is invalid. */
function rowOf(
  own: readonly OwnColumn[],
  header: readonly WrittenCell[],
  record: readonly WrittenCell[],
): NewRow {
  const cells = own.map((column) => {
    const at = header.indexOf(column.name);
    const cell = at < 0 ? null : (record[at] ?? null);
    // Other programs write an empty text without quotes.
    const isEmptyText = at in record && column.constraint === 'required' && column.dataType === 'string';
    const text = cell ?? (isEmptyText ? '' : null);
    const value = text === null ? null : valueOf(column, text);
    checkValue(column, value, column.name);
    return value;
  });
  if (textBytes(cells) > MAX_ROW_BYTES) throw tooLarge('dataTableRow');
  const at = header.indexOf('id');
  const id = at < 0 ? null : record[at];
  return { id: typeof id === 'string' && ID.test(id) ? id.toLowerCase() : newId(), cells };
}

function valueOf({ dataType, name }: OwnColumn, text: string): CellValue {
  if (dataType === 'string') {
    inspectText(text, name);
    return text;
  }
  if (dataType === 'boolean') {
    if (text !== 'true' && text !== 'false') throw new ValidationError(`${name} must be true or false`);
    return text === 'true';
  }
  const number = text.trim() === '' ? NaN : Number(text);
  if (!Number.isFinite(number)) throw new ValidationError(`${name} must be a number`);
  return number;
}
