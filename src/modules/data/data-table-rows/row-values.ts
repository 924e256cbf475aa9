import { ValidationError } from '../../../lib/errors/errors.js';
import { checkValue, MAX_ROW_BYTES, textBytes, tooLarge } from '../data-tables/data-table.rules.js';
import type { CellValue } from '../data-tables/data-table.schemas.js';
import type { OwnColumn } from '../data-tables/table-columns.js';

/** A row in a request body: values by column name. */
export type RowBody = Readonly<Record<string, CellValue>>;

/** A value and its column. */
export interface Cell {
  column: OwnColumn;
  value: CellValue;
}

/**
 * Returns the cells of a new row in the order of the columns: values of the body, default values, or `null`. Throws 400
 * for the first invalid value; `at` is the path of the row in the body.
 */
export function newCells(columns: readonly OwnColumn[], body: RowBody, at: string): CellValue[] {
  checkNames(columns, body, at);
  const cells = columns.map((column) => {
    const { name, defaultValue = null } = column;
    const value = Object.hasOwn(body, name) ? body[name]! : defaultValue;
    checkValue(column, value, `${at}.${name}`);
    return value;
  });
  if (textBytes(cells) > MAX_ROW_BYTES) throw tooLarge(at);
  return cells;
}

/** Returns the cells that an update sets. Throws 400 for the first invalid value. */
export function changedCells(columns: readonly OwnColumn[], body: RowBody, at: string): Cell[] {
  checkNames(columns, body, at);
  return columns.flatMap((column) => {
    if (!Object.hasOwn(body, column.name)) return [];
    const value = body[column.name]!;
    checkValue(column, value, `${at}.${column.name}`);
    return [{ column, value }];
  });
}

function checkNames(columns: readonly OwnColumn[], body: RowBody, at: string): void {
  const names = new Set(columns.map(({ name }) => name));
  const unknown = Object.keys(body).find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new ValidationError(`${at}.${unknown.slice(0, 64)} is not a column of the data table`);
}
