import { ValidationError } from '../../../lib/errors/errors.js';
import type { DataTablePost } from './data-table.resource.js';
import type { CellValue, DataTableColumn } from './data-table.schemas.js';
import { SYSTEM_COLUMNS } from './table-columns.js';

/** Bytes of UTF-8, as what devices report may have. */
const MOST_BYTES = 64 * 1024;
/** What stands in an index has to fit into a page of it. */
const MOST_UNIQUE_BYTES = 2_048;
/** Of the text in a row: with every character escaped it is less than workflows get. */
export const MOST_ROW_BYTES = 128 * 1024;

/** Names that no column has: those of the columns that are there, and those that no body may have as keys. */
const RESERVED = new Set([
  ...SYSTEM_COLUMNS.map(({ name }) => name),
  '__proto__',
  'constructor',
  'prototype',
]);

/** The columns of the row of a new table; 400 where it cannot have the columns that it is to have. */
export function newTable({ columns = [], ...post }: DataTablePost) {
  checkColumns(columns);
  return {
    ...post,
    columns,
    columnNumbers: columns.map((_, i) => i + 1),
    columnVersion: columns.length,
  };
}

/** Throws 400 for the first column that a table cannot have beside those before it. */
export function checkColumns(columns: readonly DataTableColumn[], at = 'dataTable.columns'): void {
  columns.forEach((column, i) => checkColumn(column, columns.slice(0, i), `${at}.${i}`));
}

/** Throws 400 for a column that a table with the columns `others` cannot have; `at` is where it stands in the body. */
export function checkColumn(column: DataTableColumn, others: readonly DataTableColumn[], at: string): void {
  const { name, defaultValue } = column;
  if (RESERVED.has(name) || others.some((other) => other.name === name))
    throw new ValidationError(`${at}.name is not available: ${name}`);
  if (defaultValue !== undefined) checkValue(column, defaultValue, `${at}.defaultValue`);
}

/** Throws 400 for a value that the column cannot hold. That there is none is for the constraint to allow. */
export function checkValue(
  { dataType, constraint }: Pick<DataTableColumn, 'dataType' | 'constraint'>,
  value: CellValue,
  at: string,
): void {
  if (value === null) {
    if (constraint === 'required') throw new ValidationError(`${at} is required`);
    return;
  }
  if (typeof value !== dataType) throw new ValidationError(`${at} must be a ${dataType}`);
  if (typeof value !== 'string') return;
  const most = constraint === 'unique' ? MOST_UNIQUE_BYTES : MOST_BYTES;
  if (Buffer.byteLength(value) > most)
    throw new ValidationError(
      `${at} must have at most ${most} bytes${constraint === 'unique' ? ', as it is unique' : ''}`,
    );
}

/** How much text there is among values, in bytes of UTF-8. */
export const textBytes = (values: readonly CellValue[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 0), 0);

/** What 400 says of a row that would have more text than one may. */
export const tooLarge = (at: string): ValidationError =>
  new ValidationError(`${at} must have at most ${MOST_ROW_BYTES} bytes of text`);
