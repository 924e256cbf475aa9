import { type Statement, type Transaction } from '../../../platform/database/database.js';
import { errorCode } from '../../../platform/database/error-code.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound, Unavailable, ValidationError } from '../../../lib/errors/errors.js';
import { repositoryOf } from '../../../platform/repositories/repository.js';
import { addColumn, createRows, dropColumn } from './data-table.columns.js';
import { DATA_TABLES } from './data-table.resource.js';
import type { DataTableColumn } from './data-table.schemas.js';
import { ownColumns, rowsTable, type OwnColumn, type TableLayout } from './table-columns.js';

const LAYOUT = `SELECT t.columns, to_json(t.column_numbers), t.column_version, EXISTS (
    SELECT FROM flow_triggers g WHERE g.application_id = $1 AND g.version = 'default' AND g.type = 'dataTable'
      AND md5(g.key) = md5($2) AND g.key = $2)
  FROM data_tables t WHERE t.application_id = $1 AND t.id = $2`;

/** Limits the wait for an exclusive lock, because later statements queue behind the waiting one. */
const LOCK_TIMEOUT = `SET LOCAL lock_timeout = '1s'`;

/** PostgreSQL error codes for a table or column that no longer exists. */
const UNDEFINED_TABLE_OR_COLUMN: ReadonlySet<string> = new Set(['42P01', '42703']);
/** More than the number of column changes expected during a request. */
const ATTEMPTS = 5;

/** Messages by PostgreSQL error code: a row without a value, a duplicate value, or too many columns over time. */
const MESSAGES_BY_CODE: Readonly<Record<string, (name: string) => string>> = {
  '23502': (name) => `dataTableColumn.defaultValue is required, as the table has rows: ${name}`,
  '23505': (name) => `dataTableColumn.defaultValue must be unique but would apply to several rows: ${name}`,
  '54011': () => 'The data table has had too many columns over time: create a new data table',
};

/** Repository of data tables and the structure of their row tables. */
export class DataTablesRepository extends repositoryOf(DATA_TABLES) {
  /** Returns the current layout of the rows of a data table. Throws 404 if it does not exist. */
  async layout(applicationId: string, id: string): Promise<TableLayout> {
    const [row] = await this.database.read(prepared(LAYOUT, [applicationId, id]));
    if (!row) throw new NotFound(DATA_TABLES.title);
    const [columns, numbers, version, heard] = row as [string, string, string, string];
    return {
      id,
      applicationId,
      rows: rowsTable(id),
      version: Number(version),
      own: ownColumns(JSON.parse(columns) as DataTableColumn[], JSON.parse(numbers) as number[]),
      hasTriggers: heard === 't',
    };
  }

  /**
   * Runs `work` with the current layout of a data table, and retries it if the columns change concurrently. `work` then
   * fails because a column or the table no longer exists, or returns `undefined` because its statement matched nothing.
   */
  async withLayout<T>(
    applicationId: string,
    id: string,
    work: (layout: TableLayout) => Promise<T | undefined>,
  ): Promise<T> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const done = await work(await this.layout(applicationId, id)).catch((error: unknown) => {
        if (!UNDEFINED_TABLE_OR_COLUMN.has(errorCode(error))) throw error;
        return undefined;
      });
      if (done !== undefined) return done;
    }
    throw new Unavailable('The columns of the data table keep changing, try again');
  }

  /** Creates the table for the rows of a new data table. */
  createRows(id: string, own: readonly OwnColumn[], transaction: Transaction): Promise<void> {
    return define([createRows(id, own)], transaction);
  }

  /** Adds a column to the table of rows. Throws 400 if existing rows violate its constraint. */
  async addColumn(id: string, column: OwnColumn, transaction: Transaction): Promise<void> {
    try {
      await define(addColumn(id, column), transaction);
    } catch (error) {
      const refusal = MESSAGES_BY_CODE[errorCode(error)];
      throw refusal ? new ValidationError(refusal(column.name)) : error;
    }
  }

  /** Drops a column from the table of rows. */
  removeColumn(id: string, column: OwnColumn, transaction: Transaction): Promise<void> {
    return define([dropColumn(id, column)], transaction);
  }
}

async function define(statements: readonly Statement[], transaction: Transaction): Promise<void> {
  await transaction.run({ text: LOCK_TIMEOUT, values: [] });
  for (const statement of statements) await transaction.run(statement);
}
