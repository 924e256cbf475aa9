import { jsonOf, type Row } from '../../../platform/database/row-shape.js';
import type { FieldKind } from '../../../platform/fields/fields.js';
import type { ColumnType, DataTableColumn } from './data-table.schemas.js';

/** A column of rows: the name that callers have for it, and the one in PostgreSQL. */
export interface RowColumn {
  name: string;
  /** Its column in the table of rows: an identifier that no caller has a part in. */
  column: string;
  kind: FieldKind;
}

/** A column that the table's owner made. */
export interface OwnColumn extends RowColumn, DataTableColumn {}

/** The columns of every table. */
export const SYSTEM_COLUMNS: readonly RowColumn[] = [
  { name: 'id', column: 'id', kind: 'plain' },
  { name: 'createdAt', column: 'created_at', kind: 'date' },
  { name: 'updatedAt', column: 'updated_at', kind: 'date' },
];

/** What rows of a data table are made of at a moment. Columns may come and go; what one is called and holds never changes. */
export interface TableLayout {
  /** The data table. */
  id: string;
  applicationId: string;
  /** The table of its rows, for statements. */
  rows: string;
  /** Another one with each change of the columns. */
  version: number;
  /** The columns that its owner made. */
  own: readonly OwnColumn[];
  /** Whether a workflow listens to its changes. */
  isHeard: boolean;
}

const KINDS: Readonly<Record<ColumnType, FieldKind>> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
};
const ID = /^[\da-f]{24}$/;

/** The table of the rows of a data table, by the id that the data table has. */
export function rowsTable(id: string): string {
  // It becomes part of a statement.
  if (!ID.test(id)) throw new Error('The id of a data table is 24 hexadecimal digits');
  return `data_tables.t_${id}`;
}

/** The column that a number stands for. */
export const numbered = (number: number): string => `c${Math.trunc(number)}`;

/** Columns with what statements call them; `numbers` are in the order of `columns`. */
export const ownColumns = (columns: readonly DataTableColumn[], numbers: readonly number[]): OwnColumn[] =>
  columns.map((column, i) => ({ ...column, column: numbered(numbers[i]!), kind: KINDS[column.dataType] }));

/** All columns of a table, in the order in which rows show them. */
export const columnsOf = ({ own }: TableLayout): RowColumn[] => [...SYSTEM_COLUMNS, ...own];

/** The column of a name, where there is one: a system column or the owner's. */
export const columnNamed = (layout: TableLayout, name: string): RowColumn | undefined =>
  columnsOf(layout).find((column) => column.name === name);

/** The select list of columns of rows `t`. */
export const selectList = (columns: readonly RowColumn[]): string =>
  columns.map(({ column }) => `t.${column}`).join(', ');

/** A row as JSON, of the columns that `selectList` selected; `null` stands where a row has no value. */
export function rowJson(columns: readonly RowColumn[], row: Row): string {
  const members = columns.map((column, i) => {
    const text = row[i];
    return `${JSON.stringify(column.name)}:${text === null || text === undefined ? 'null' : jsonOf(column, text)}`;
  });
  return `{${members.join(',')}}`;
}
