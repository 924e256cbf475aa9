import type { Statement } from '../../../platform/database/database.js';
import { countSql } from '../../../platform/counts/counts.js';
import type { ColumnType } from './data-table.schemas.js';
import { rowsTable, type OwnColumn } from './table-columns.js';

const TYPES: Readonly<Record<ColumnType, string>> = {
  string: 'text',
  number: 'double precision',
  boolean: 'boolean',
};
/** Sorts text by bytes: independent of the machine's locale, and usable by an index for prefix searches. */
const BYTE_COLLATION = ' COLLATE "C"';
/**
 * Transaction setting that passes a default value to the statement that adds a column, so that values are never part of
 * SQL text.
 */
const DEFAULT = 'fieldwright.column_default';

/** SQL of the number of rows of the data table with the ID `place`; maintained, not counted. */
export const rowCountSql = (place: string): string => countSql(place, `'rowCount'`);

/**
 * SQL that adds a change of the row count of the data table with the ID `place`. `change` is an aggregate over `rows`,
 * the result of a changing statement in the same `WITH`. Every statement that inserts or deletes rows includes it.
 * Triggers would be recompiled for each table by each connection.
 */
export const recordRowCountSql = (place: string, change: string, rows: string): string =>
  `INSERT INTO count_deltas (holder_id, kind, n) SELECT ${place}, 'rowCount', c.n
    FROM (SELECT ${change} AS n FROM ${rows}) c WHERE c.n <> 0`;

const constraintName = (id: string, column: string): string => `t_${id}_${column}`;

/** Returns the column of a violated unique constraint from the constraint's name. */
export const columnOfConstraint = (constraint: string | undefined): string | undefined =>
  constraint?.split('_')[2];

function definition({ column, dataType, constraint }: OwnColumn): string {
  const collation = dataType === 'string' ? BYTE_COLLATION : '';
  return `${column} ${TYPES[dataType]}${collation}${constraint === 'required' ? ' NOT NULL' : ''}`;
}

const uniqueness = (id: string, { column, constraint }: OwnColumn): string[] =>
  constraint === 'unique' ? [`CONSTRAINT ${constraintName(id, column)} UNIQUE (${column})`] : [];

const ddl = (text: string): Statement => ({ text, values: [] });

/** Builds the statement that creates the table for the rows of a data table. */
export function createRows(id: string, own: readonly OwnColumn[]): Statement {
  const table = rowsTable(id);
  const parts = [
    `id text${BYTE_COLLATION} CONSTRAINT ${constraintName(id, 'id')} PRIMARY KEY`,
    'created_at timestamp(3) with time zone NOT NULL',
    'updated_at timestamp(3) with time zone NOT NULL',
    ...own.map(definition),
    ...own.flatMap((column) => uniqueness(id, column)),
  ];
  return ddl(`CREATE TABLE ${table} (${parts.join(', ')})`);
}

/**
 * Builds the statements that add a column. Existing rows get its default value, which PostgreSQL stores once for all of
 * them. The value is read from a transaction setting. Afterwards the platform fills in defaults, not PostgreSQL.
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

/** Builds the statement that drops a column with its values. */
export const dropColumn = (id: string, { column }: OwnColumn): Statement =>
  ddl(`ALTER TABLE ${rowsTable(id)} DROP COLUMN ${column}`);
