import { ValidationError } from '../../../lib/errors/errors.js';
import type { DataTablePost } from './data-table.resource.js';
import type { CellValue, DataTableColumn } from './data-table.schemas.js';
import { SYSTEM_COLUMNS } from './table-columns.js';

/** Maximum size of a text value in bytes of UTF-8, the same as for values that devices report. */
const MAX_BYTES = 64 * 1024;
/** Maximum size of a unique text value in bytes; an index entry must fit into a page. */
const MAX_UNIQUE_BYTES = 2_048;
/**
 * Maximum bytes of text per row. Even with every character escaped, a row stays below the payload limit of workflows.
 */
export const MAX_ROW_BYTES = 128 * 1024;

/** Reserved column names: those of system columns and object keys that bodies must not contain. */
const RESERVED = new Set([
  ...SYSTEM_COLUMNS.map(({ name }) => name),
  '__proto__',
  'constructor',
  'prototype',
]);

/** Returns the properties of a new table. Throws 400 if its columns are invalid. */
export function newTable({ columns = [], ...post }: DataTablePost) {
  checkColumns(columns);
  return {
    ...post,
    columns,
    columnNumbers: columns.map((_, i) => i + 1),
    columnVersion: columns.length,
  };
}

/** Throws 400 for the first column that is invalid or conflicts with a preceding one. */
export function checkColumns(columns: readonly DataTableColumn[], at = 'dataTable.columns'): void {
  columns.forEach((column, i) => checkColumn(column, columns.slice(0, i), `${at}.${i}`));
}

/** Throws 400 if a column is invalid or conflicts with `others`; `at` is its path in the body. */
export function checkColumn(column: DataTableColumn, others: readonly DataTableColumn[], at: string): void {
  const { name, defaultValue } = column;
  if (RESERVED.has(name) || others.some((other) => other.name === name))
    throw new ValidationError(`${at}.name is not available: ${name}`);
  if (defaultValue !== undefined) checkValue(column, defaultValue, `${at}.defaultValue`);
}

/** Throws 400 if a column cannot hold the value, or is required and the value is `null`. */
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
  const max = constraint === 'unique' ? MAX_UNIQUE_BYTES : MAX_BYTES;
  if (Buffer.byteLength(value) > max)
    throw new ValidationError(
      `${at} must have at most ${max} bytes${constraint === 'unique' ? ', as it is unique' : ''}`,
    );
}

/** Returns the size of all text in `values`, in bytes of UTF-8. */
export const textBytes = (values: readonly CellValue[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 0), 0);

/** Returns the error for a row that exceeds the maximum text size. */
export const tooLarge = (at: string): ValidationError =>
  new ValidationError(`${at} must have at most ${MAX_ROW_BYTES} bytes of text`);
