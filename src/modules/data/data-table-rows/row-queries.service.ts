import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row-shape.js';
import { SerializedResponse } from '../../../platform/responses/stored-resources.js';
import { DataTablesRepository } from '../data-tables/data-tables.repository.js';
import { columnsOf, rowJson, SYSTEM_COLUMNS, type TableLayout } from '../data-tables/table-columns.js';
import { ROW_CHANGE } from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
import { columnOrFail } from './row-query.columns.js';
import { RowQueriesRepository } from './row-queries.repository.js';
import type { DataTableRowsQuery } from './row-queries.query.js';
import type { DataTableRowsDelete } from './row-queries.schemas.js';
import { tableEntry } from './table-entry.js';

/** Number of deleted rows loaded into memory at a time to notify workflows. */
const TRIGGER_BATCH = 100;

/** Finds, deletes and truncates rows of data tables in bulk. */
@Injectable()
export class RowQueriesService {
  constructor(
    private readonly tables: DataTablesRepository,
    private readonly rows: RowQueriesRepository,
    private readonly firings: Firings,
    private readonly database: Database,
  ) {}

  /** Returns the rows that match a query. Without a query, returns all rows and omits `query` from the response. */
  find(
    { id: applicationId, ownerId }: ApplicationAccess,
    dataTableId: string,
    { sortColumn = 'id', sortDirection, limit, offset, includeFields }: DataTableRowsQuery,
    query?: object,
  ): Promise<SerializedResponse> {
    return this.tables.withLayout(applicationId, dataTableId, async (layout) => {
      const columns = includeFields
        ? [...new Set(includeFields)].map((name) => columnOrFail(layout, name, 'includeFields'))
        : columnsOf(layout);
      const order = { column: columnOrFail(layout, sortColumn, 'sortColumn'), direction: sortDirection };
      const asked = { query: query ?? {}, order, limit, offset };
      const { rows, total } = await this.rows.find(layout, columns, asked, ownerId);
      const items = rows.map((row) => rowJson(columns, row)).join(',');
      const rest = JSON.stringify({
        count: rows.length,
        totalCount: total,
        ...{ limit, offset, sortColumn, sortDirection, applicationId, dataTableId, query },
      });
      return new SerializedResponse(`{"items":[${items}],${rest.slice(1)}`);
    });
  }

  /** Deletes rows that match a query, in order of ID. */
  delete(
    application: ApplicationAccess,
    dataTableId: string,
    asked: { query: object; limit: number },
    by: Author,
  ): Promise<DataTableRowsDelete> {
    const search = { owner: application.ownerId, parameter: 'query' };
    return this.tables.withLayout(application.id, dataTableId, (layout) =>
      this.database.searchingTransaction(search, async (transaction) => {
        const removed = await this.remove(layout, asked, by, transaction);
        if (removed > 0) await this.logChange(application, dataTableId, by, transaction);
        return { removed };
      }),
    );
  }

  /** Deletes all rows of a data table. */
  truncate(application: ApplicationAccess, dataTableId: string, by: Author): Promise<true> {
    return this.tables.withLayout(application.id, dataTableId, (layout) =>
      this.database.transaction(async (transaction) => {
        await this.rows.truncate(layout, transaction);
        await this.logChange(application, dataTableId, by, transaction);
        return true as const;
      }),
    );
  }

  /**
   * Deletes rows in small batches if workflows are triggered by the table, because each workflow run receives its row.
   */
  private async remove(
    layout: TableLayout,
    { query, limit }: { query: object; limit: number },
    by: Author,
    transaction: Transaction,
  ): Promise<number> {
    const columns = layout.hasTriggers ? columnsOf(layout) : SYSTEM_COLUMNS;
    let removed = 0;
    for (let after = ''; ;) {
      const max = layout.hasTriggers ? Math.min(TRIGGER_BATCH, limit - removed) : limit;
      const rows = await this.rows.remove(layout, columns, { query, limit: max, after }, transaction);
      removed += rows.length;
      if (rows.length > 0 && layout.hasTriggers) await this.fireTriggers(layout, rows, by, transaction);
      if (rows.length < max || removed === limit) return removed;
      after = rows.at(-1)![0]!;
    }
  }

  private async fireTriggers(
    layout: TableLayout,
    rows: readonly Row[],
    by: Author,
    transaction: Transaction,
  ): Promise<void> {
    const { applicationId, id: key } = layout;
    const items = rows.map((row) => {
      const data = { action: 'delete', oldRow: JSON.parse(rowJson(columnsOf(layout), row)) as object };
      const given = JSON.stringify({ sourceId: by.id, sourceType: by.type, data });
      return { given, channel: by.channel, bytes: Buffer.byteLength(given) } as const;
    });
    const triggers = [{ type: 'dataTable', key, change: 'delete' }];
    await this.firings.fire(ROW_CHANGE, [{ applicationId, triggers, items }], transaction);
  }

  private async logChange(
    application: ApplicationAccess,
    dataTableId: string,
    by: Author,
    transaction: Transaction,
  ): Promise<void> {
    const table = await this.rows.named(application.id, dataTableId, transaction);
    await writeEntry(transaction.manager, by, tableEntry(application, table));
  }
}
