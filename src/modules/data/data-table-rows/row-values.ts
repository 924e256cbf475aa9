import { ValidationError } from '../../../lib/errors/errors.js';
import { checkValue, MOST_ROW_BYTES, textBytes, tooLarge } from '../data-tables/data-table.rules.js';
import type { CellValue } from '../data-tables/data-table.schemas.js';
import type { OwnColumn } from '../data-tables/table-columns.js';

/** A row as a body has it: values by the names of columns. */
export type RowBody = Readonly<Record<string, CellValue>>;

/** A value, and the column that it is for. */
export interface Cell {
  column: OwnColumn;
  value: CellValue;
}

/**
 * All cells of a new row, in the order of the columns: what the body has, defaults for what it says nothing of, and `null`
 * where there are none. Throws 400 for the first that cannot be so; `at` is where the row stands in the body.
 */
export function newCells(columns: readonly OwnColumn[], body: RowBody, at: string): CellValue[] {
  checkNames(columns, body, at);
  const cells = columns.map((column) => {
    const { name, defaultValue = null } = column;
    const value = Object.hasOwn(body, name) ? body[name]! : defaultValue;
    checkValue(column, value, `${at}.${name}`);
    return value;
  });
  if (textBytes(cells) > MOST_ROW_BYTES) throw tooLarge(at);
  return cells;
}

/** The cells that a change names. Throws 400 for the first that cannot be so. */
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
