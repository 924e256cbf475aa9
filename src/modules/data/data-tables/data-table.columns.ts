import type { Statement } from '../../../platform/database/database.js';
import { countSql } from '../../../platform/counts/counts.js';
import type { ColumnType } from './data-table.schemas.js';
import { rowsTable, type OwnColumn } from './table-columns.js';

const TYPES: Readonly<Record<ColumnType, string>> = {
  string: 'text',
  number: 'double precision',
  boolean: 'boolean',
};
/** Text is in order of its bytes: the same on every machine, and for an index to find what it begins with. */
const IN_ORDER_OF_BYTES = ' COLLATE "C"';
/** Where a default waits to be read by the statement that adds a column: a value never stands in a text. */
const DEFAULT = 'fieldwright.column_default';

/** SQL of how many rows a data table has, whose id is `place`; kept and never counted. */
export const rowCountSql = (place: string): string => countSql(place, `'rowCount'`);

/**
 * SQL that notes how many rows came to a data table, whose id is `place`, or went: `change` is an aggregate over `rows`, what a
 * changing statement returned in the same `WITH`. Whoever inserts or deletes rows has it in the statement that does. Triggers
 * would be compiled anew for each table, by each connection.
 */
export const noteRowCountSql = (place: string, change: string, rows: string): string =>
  `INSERT INTO count_deltas (holder_id, kind, n) SELECT ${place}, 'rowCount', c.n
    FROM (SELECT ${change} AS n FROM ${rows}) c WHERE c.n <> 0`;

const constraintName = (id: string, column: string): string => `t_${id}_${column}`;

/** The column by whose unique index a row was refused, from the index's name. */
export const columnOfConstraint = (constraint: string | undefined): string | undefined =>
  constraint?.split('_')[2];

function definition({ column, dataType, constraint }: OwnColumn): string {
  const collation = dataType === 'string' ? IN_ORDER_OF_BYTES : '';
  return `${column} ${TYPES[dataType]}${collation}${constraint === 'required' ? ' NOT NULL' : ''}`;
}

const uniqueness = (id: string, { column, constraint }: OwnColumn): string[] =>
  constraint === 'unique' ? [`CONSTRAINT ${constraintName(id, column)} UNIQUE (${column})`] : [];

const ddl = (text: string): Statement => ({ text, values: [] });

/** The statement that makes the table of the rows of a data table. */
export function createRows(id: string, own: readonly OwnColumn[]): Statement {
  const table = rowsTable(id);
  const parts = [
    `id text${IN_ORDER_OF_BYTES} CONSTRAINT ${constraintName(id, 'id')} PRIMARY KEY`,
    'created_at timestamp(3) with time zone NOT NULL',
    'updated_at timestamp(3) with time zone NOT NULL',
    ...own.map(definition),
    ...own.flatMap((column) => uniqueness(id, column)),
  ];
  return ddl(`CREATE TABLE ${table} (${parts.join(', ')})`);
}

/**
 * The statements that add a column. Rows that are there get its default, which PostgreSQL keeps once for all of them; it is
 * taken from a setting of the transaction, and afterwards it is the platform that fills in defaults.
 */
export function addColumn(id: string, column: OwnColumn): Statement[] {
  const table = rowsTable(id);
  const { defaultValue, dataType } = column;
  const value = `DEFAULT current_setting('${DEFAULT}')::${TYPES[dataType]}`;
  const parts = [
    `ADD COLUMN ${definition(column)}${defaultValue === undefined ? '' : ` ${value}`}`,
    ...uniqueness(id, column).map((unique) => `ADD ${unique}`),
  ];
  const alter = ddl(`ALTER TABLE ${table} ${parts.join(', ')}`);
  if (defaultValue === undefined) return [alter];
  return [
    { text: `SELECT set_config('${DEFAULT}', $1, true)`, values: [String(defaultValue)] },
    alter,
    ddl(`ALTER TABLE ${table} ALTER COLUMN ${column.column} DROP DEFAULT`),
  ];
}

/** The statement that removes a column with all that rows have in it. */
export const dropColumn = (id: string, { column }: OwnColumn): Statement =>
  ddl(`ALTER TABLE ${rowsTable(id)} DROP COLUMN ${column}`);
