/**
 * Properties of a row that a statement writes, with their types, including JSON columns, or `null` to clear a column.
 * Absent or `undefined` properties get the default of their column, or keep their value.
 */
export type Changes<T> = { [Property in keyof T]?: T[Property] | null };
