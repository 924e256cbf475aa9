import { jsonOf, type Row } from '../../../platform/database/row-shape.js';
import type { FieldKind } from '../../../platform/fields/fields.js';
import type { ColumnType, DataTableColumn } from './data-table.schemas.js';

/** A column of rows: its name for callers and its name in PostgreSQL. */
export interface RowColumn {
  name: string;
  /** PostgreSQL column in the table of rows: an identifier without caller input. */
  column: string;
  kind: FieldKind;
}

/** A custom column, defined by the user. */
export interface OwnColumn extends RowColumn, DataTableColumn {}

/** System columns, which every table has. */
export const SYSTEM_COLUMNS: readonly RowColumn[] = [
  { name: 'id', column: 'id', kind: 'plain' },
  { name: 'createdAt', column: 'created_at', kind: 'date' },
  { name: 'updatedAt', column: 'updated_at', kind: 'date' },
];

/**
 * Structure of the rows of a data table at one point in time. Columns can be added and removed; the name and type of a
 * column never change.
 */
export interface TableLayout {
  /** ID of the data table. */
  id: string;
  applicationId: string;
  /** Qualified name of the table of rows, for use in statements. */
  rows: string;
  /** Changes with each change of the columns. */
  version: number;
  /** Custom columns, in order. */
  own: readonly OwnColumn[];
  /** Whether any workflow is triggered by changes of the table. */
  hasTriggers: boolean;
}

const KINDS: Readonly<Record<ColumnType, FieldKind>> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
};
const ID = /^[\da-f]{24}$/;

/** Returns the qualified name of the table of rows for the ID of a data table. */
export function rowsTable(id: string): string {
  // The ID becomes part of SQL statements.
  if (!ID.test(id)) throw new Error('The ID of a data table must be 24 hexadecimal digits');
  return `data_tables.t_${id}`;
}

/** Returns the PostgreSQL column for a column number. */
export const numbered = (number: number): string => `c${Math.trunc(number)}`;

/** Adds the PostgreSQL names to columns; `numbers` has the order of `columns`. */
export const ownColumns = (columns: readonly DataTableColumn[], numbers: readonly number[]): OwnColumn[] =>
  columns.map((column, i) => ({ ...column, column: numbered(numbers[i]!), kind: KINDS[column.dataType] }));

/** Returns all columns of a table, in the order of rows in responses. */
export const columnsOf = ({ own }: TableLayout): RowColumn[] => [...SYSTEM_COLUMNS, ...own];

/** Returns the system or custom column with a name, or `undefined` if it does not exist. */
export const columnNamed = (layout: TableLayout, name: string): RowColumn | undefined =>
  columnsOf(layout).find((column) => column.name === name);

/** Builds the select list for columns of rows `t`. */
export const selectList = (columns: readonly RowColumn[]): string =>
  columns.map(({ column }) => `t.${column}`).join(', ');

/** Serializes a row, selected with `selectList`, to JSON. Missing values are `null`. */
export function rowJson(columns: readonly RowColumn[], row: Row): string {
  const members = columns.map((column, i) => {
    const text = row[i];
    return `${JSON.stringify(column.name)}:${text === null || text === undefined ? 'null' : jsonOf(column, text)}`;
  });
  return `{${members.join(',')}}`;
}
