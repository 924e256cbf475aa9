import { Injectable } from '@nestjs/common';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import { loggedListeners, type Listeners } from '../../../platform/callbacks/listeners.js';
import { Outcomes, type Outcome } from '../../../platform/callbacks/outcomes.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import type { SortDirection } from '../../../platform/lists/list-query.js';
import { DataTablesRepository } from '../data-tables/data-tables.repository.js';
import type { TableLayout } from '../data-tables/table-columns.js';
import { linkOutcome } from '../../devices/device-exports/export-link.js';
import { streamOf } from '../../devices/device-exports/pages.js';
import { RowLines } from './row-lines.js';
import { columnOrFail, rowCondition } from './row-query.columns.js';
import type { ExportedRows } from './row-queries.repository.js';
import type { ExportOptions } from './row-queries.schemas.js';

/** Input of a job that exports rows of a data table. */
export interface RowExport {
  applicationId: string;
  dataTableId: string;
  /** Name of the table at the time of the request. */
  name: string;
  asked: ExportOptions & { query: object };
  listeners: Listeners;
}

/** Only the outcome is logged, because `callbackUrl` may contain a secret of its receiver. */
export const ROW_EXPORT = defineJob<RowExport>('dataTableRows.export', {
  timeoutMs: 6 * 60 * 60_000,
  erasesPayload: true,
  notifies: true,
  log: ({ applicationId, dataTableId, listeners }) => ({
    applicationId,
    operation: 'dataTableRows.export',
    resourceType: 'datatable',
    resourceId: dataTableId,
    input: loggedListeners(listeners),
  }),
});

const LINK_SECONDS = 7 * 24 * 60 * 60;

/** Exports rows of a data table to a CSV file. */
@Injectable()
export class RowExportJob {
  constructor(
    private readonly tables: DataTablesRepository,
    private readonly rows: RowLines,
    private readonly blobs: TemporaryBlobs,
    private readonly outcomes: Outcomes,
  ) {}

  @OnJob(ROW_EXPORT)
  async run(task: RowExport, job: JobContext): Promise<void> {
    const { applicationId, name, listeners } = task;
    const title = `The export of the data table ${name}`;
    const about = { type: 'dataTableRows.export', title, applicationId, listeners };
    await this.outcomes.runAndNotify(about, job, () => this.export(task, job));
  }

  private async export(
    { applicationId, dataTableId, name, asked }: RowExport,
    job: JobContext,
  ): Promise<Outcome> {
    const layout = await this.tables.layout(applicationId, dataTableId);
    const key = `exports/${job.id}.csv`;
    await this.blobs.put(key, streamOf(this.rows.lines(layout, exportedRows(layout, asked), job.signal)), {
      contentType: 'text/csv',
    });
    const plain = name.replace(/[^\w-]+/g, '-').slice(0, 64);
    return linkOutcome(await this.blobs.link(key, `${plain}-${dataTableId}.csv`, LINK_SECONDS));
  }
}

/** Name of the request body in error messages. */
export const EXPORT_BODY = 'dataTableRowsExport';

/** Resolves the rows to export. Throws 400 if the table does not have, or no longer has, a requested column. */
export function exportedRows(
  layout: TableLayout,
  { query, sortColumn = 'id', sortDirection = 'asc', limit, offset = 0 }: RowExport['asked'],
): ExportedRows {
  rowCondition(layout, query, [], `${EXPORT_BODY}.query`);
  const column = columnOrFail(layout, sortColumn, `${EXPORT_BODY}.queryOptions.sortColumn`);
  const direction = sortDirection.toLowerCase() as SortDirection;
  return { query, order: { column, direction }, limit, offset };
}
