import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { newId } from '../../../platform/repositories/resource.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import type { DataTable, DataTablePatch, DataTablePost } from './data-table.resource.js';
import { checkColumn, newTable } from './data-table.rules.js';
import { MAX_COLUMNS, type DataTableColumn } from './data-table.schemas.js';
import { DataTablesRepository } from './data-tables.repository.js';
import { ownColumns } from './table-columns.js';

/** Manages data tables and their columns. A data table and its table of rows change in one transaction. */
@Injectable()
export class DataTablesService {
  constructor(
    private readonly tables: DataTablesRepository,
    private readonly database: Database,
  ) {}

  list(application: ApplicationAccess, list: ListParameters): Promise<StoredPage<DataTable>> {
    return this.tables.findApplicationPage(application, list);
  }

  create(
    application: ApplicationAccess,
    post: DataTablePost,
    by: Author,
  ): Promise<StoredResource<DataTable>> {
    const row = { ...newTable(post), id: newId() };
    return this.database.transaction(async (transaction) => {
      const made = await this.tables.addToApplication(application, row, by, transaction);
      await this.tables.createRows(row.id, ownColumns(row.columns, row.columnNumbers), transaction);
      return made;
    });
  }

  get(applicationId: string, id: string): Promise<StoredResource<DataTable>> {
    return this.tables.findOneOrFail(applicationId, id);
  }

  patch(
    applicationId: string,
    id: string,
    patch: DataTablePatch,
    by: Author,
  ): Promise<StoredResource<DataTable>> {
    return this.tables.update(applicationId, id, patch, by);
  }

  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.tables.delete(applicationId, id, by);
    return new Success();
  }

  addColumn(
    applicationId: string,
    id: string,
    column: DataTableColumn,
    by: Author,
  ): Promise<StoredResource<DataTable>> {
    return this.database.transaction(async (transaction) => {
      const { columns, columnNumbers, columnVersion } = await this.tables.lock(
        applicationId,
        id,
        transaction,
      );
      if (columns.length >= MAX_COLUMNS)
        throw new ValidationError(`A data table can have at most ${MAX_COLUMNS} columns`);
      checkColumn(column, columns, 'dataTableColumn');
      const number = columnVersion + 1;
      const changes = {
        columns: [...columns, column],
        columnNumbers: [...columnNumbers, number],
        columnVersion: number,
      };
      const changed = await this.tables.update(applicationId, id, changes, by, transaction);
      const [own] = ownColumns([column], [number]);
      await this.tables.addColumn(id, own!, transaction);
      return changed;
    });
  }

  removeColumn(
    applicationId: string,
    id: string,
    name: string,
    by: Author,
  ): Promise<StoredResource<DataTable>> {
    return this.database.transaction(async (transaction) => {
      const { columns, columnNumbers, columnVersion } = await this.tables.lock(
        applicationId,
        id,
        transaction,
      );
      const own = ownColumns(columns, columnNumbers);
      const at = columns.findIndex((column) => column.name === name);
      if (at < 0) throw new ValidationError('columnName is not a column of the data table');
      const changes = {
        columns: columns.toSpliced(at, 1),
        columnNumbers: columnNumbers.toSpliced(at, 1),
        columnVersion: columnVersion + 1,
      };
      const changed = await this.tables.update(applicationId, id, changes, by, transaction);
      await this.tables.removeColumn(id, own[at]!, transaction);
      return changed;
    });
  }
}
