import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { JobListeners } from '../../../platform/callbacks/listeners.js';
import { Database } from '../../../platform/database/database.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { DataTablesRepository } from '../data-tables/data-tables.repository.js';
import { ExportTurnsRepository } from '../../devices/device-exports/export-turns.repository.js';
import { EXPORT_BODY, exportedRows, ROW_EXPORT, type RowExport } from './row-export.job.js';
import { RowQueriesRepository } from './row-queries.repository.js';
import type { DataTableRowsExport } from './row-queries.schemas.js';
import { tableEntry } from './table-entry.js';

/** Accepts requests for exports of rows. */
@Injectable()
export class RowExportsService {
  constructor(
    private readonly tables: DataTablesRepository,
    private readonly rows: RowQueriesRepository,
    private readonly turns: ExportTurnsRepository,
    private readonly listeners: JobListeners,
    private readonly jobs: JobsService,
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** Enqueues an export of the rows that match a query. */
  async export(
    application: ApplicationAccess,
    dataTableId: string,
    body: DataTableRowsExport,
    by: Author,
  ): Promise<JobEnqueuedResult> {
    const { query = {}, queryOptions = {} } = body;
    const layout = await this.tables.layout(application.id, dataTableId);
    const asked = { query, ...queryOptions };
    exportedRows(layout, asked);
    const table = await this.rows.named(application.id, dataTableId);
    const task: RowExport = {
      applicationId: application.id,
      dataTableId,
      name: table.name,
      asked,
      listeners: this.listeners.resolve(body, by, EXPORT_BODY),
    };
    return this.database.transaction(async (transaction) => {
      await this.turns.acquire(application.id, dataTableId, this.config.EXPORT_INTERVAL, transaction);
      await writeEntry(transaction.manager, by, tableEntry(application, table));
      const jobId = await this.jobs.enqueue(transaction, ROW_EXPORT, task, by);
      return Object.assign(new JobEnqueuedResult(), { jobId });
    });
  }
}
