import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database, type Statement, type Transaction } from '../../../platform/database/database.js';
import { errorCode } from '../../../platform/database/error-code.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound, Unavailable, ValidationError } from '../../../lib/errors/errors.js';
import { ApplicationRepository } from '../../../platform/repositories/repository.js';
import { addColumn, createRows, dropColumn } from './data-table.columns.js';
import { DataTable, DATA_TABLES } from './data-table.resource.js';
import type { DataTableColumn } from './data-table.schemas.js';
import { ownColumns, rowsTable, type OwnColumn, type TableLayout } from './table-columns.js';

const LAYOUT = `SELECT t.columns, to_json(t.column_numbers), t.column_version, EXISTS (
    SELECT FROM flow_triggers g WHERE g.application_id = $1 AND g.version = 'default' AND g.type = 'dataTable'
      AND md5(g.key) = md5($2) AND g.key = $2)
  FROM data_tables t WHERE t.application_id = $1 AND t.id = $2`;

/** Whoever waits for a table keeps everybody waiting who comes after. */
const LOCK_TIMEOUT = `SET LOCAL lock_timeout = '1s'`;

/** PostgreSQL's codes for a table or a column that is not there any more. */
const GONE: ReadonlySet<string> = new Set(['42P01', '42703']);
/** More changes of the columns than fall into one request. */
const ATTEMPTS = 5;

/** Why PostgreSQL refuses a column, by its code: a row without a value, several with one, and more columns than it numbers. */
const REFUSALS: Readonly<Record<string, (name: string) => string>> = {
  '23502': (name) => `dataTableColumn.defaultValue is required, as the table has rows: ${name}`,
  '23505': (name) => `dataTableColumn.defaultValue would be in several rows and must be unique: ${name}`,
  '54011': () => 'The data table has had too many columns over time: make a new one',
};

/** The rows of data tables, and what the tables of their own rows are made of. */
@Injectable()
export class DataTablesRepository extends ApplicationRepository<DataTable> {
  constructor(@InjectRepository(DataTable) rows: Repository<DataTable>, database: Database) {
    super(rows, database, DATA_TABLES);
  }

  /** What the rows of a data table are made of now, or 404. */
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
      isHeard: heard === 't',
    };
  }

  /**
   * Does what follows from the columns of a data table, and does it again where these changed meanwhile: `work` then finds a
   * column or the table gone, or nothing that it may do, and returns `undefined`.
   */
  async withLayout<T>(
    applicationId: string,
    id: string,
    work: (layout: TableLayout) => Promise<T | undefined>,
  ): Promise<T> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const done = await work(await this.layout(applicationId, id)).catch((error: unknown) => {
        if (!GONE.has(errorCode(error))) throw error;
        return undefined;
      });
      if (done !== undefined) return done;
    }
    throw new Unavailable('The columns of the data table keep changing, try again');
  }

  /** Makes the table of the rows of a new data table. */
  createRows(id: string, own: readonly OwnColumn[], transaction: Transaction): Promise<void> {
    return define([createRows(id, own)], transaction);
  }

  /** Adds a column to the table of rows, or 400 where those that are there do not meet its constraint. */
  async addColumn(id: string, column: OwnColumn, transaction: Transaction): Promise<void> {
    try {
      await define(addColumn(id, column), transaction);
    } catch (error) {
      const refusal = REFUSALS[errorCode(error)];
      throw refusal ? new ValidationError(refusal(column.name)) : error;
    }
  }

  /** Removes a column from the table of rows. */
  removeColumn(id: string, column: OwnColumn, transaction: Transaction): Promise<void> {
    return define([dropColumn(id, column)], transaction);
  }
}

async function define(statements: readonly Statement[], transaction: Transaction): Promise<void> {
  await transaction.run({ text: LOCK_TIMEOUT, values: [] });
  for (const statement of statements) await transaction.run(statement);
}
