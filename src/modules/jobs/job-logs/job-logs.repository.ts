import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { countSql } from '../../../platform/counts/counts.js';
import { Database } from '../../../platform/database/database.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runList } from '../../../platform/lists/run-list.js';
import { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { ApplicationJobLog, JOBS } from './job-log.resource.js';

/** Rows of jobs with the property names of the log. Payloads are for workers only. */
const LOGS = `(SELECT j.log_id AS id, j.application_id, j.operation AS name, j.status, j.progress, j.error, j.input, j.result AS output,
    j.resource_type, j.resource_id, j.application_id AS owner_id, 'application' AS owner_type, NULL AS job_execution_id,
    j.requested_by_id, CASE WHEN j.requested_by_type IS NULL THEN 'system' ELSE j.requested_by_type END AS requested_by_type,
    j.creation_date AS run_queued_at, j.started_at AS run_started_at, j.completed_at AS run_completed_at
  FROM jobs j WHERE j.application_id IS NOT NULL)`;

/** Repository of the jobs of applications. Read-only. */
@Injectable()
export class JobLogsRepository {
  private readonly shape = new RowShape(ApplicationJobLog);
  private readonly byId = this.shape.select(`FROM ${LOGS} t WHERE t.application_id = $1 AND t.id = $2`);

  constructor(private readonly database: Database) {}

  async pageOf(
    { id, ownerId }: ApplicationAccess,
    list: ListParameters,
  ): Promise<StoredPage<ApplicationJobLog>> {
    const { items, envelope } = await runList(this.database, this.shape, {
      table: LOGS,
      owner: ownerId,
      where: ['t.application_id = $1'],
      values: [id],
      list,
      total: countSql('$1', `'jobLogCount'`),
    });
    return new StoredPage(items, { ...envelope, applicationId: id, query: list.query });
  }

  async obtain(applicationId: string, id: string): Promise<StoredResource<ApplicationJobLog>> {
    const [row] = await this.database.read(prepared(this.byId, [applicationId, id]));
    if (!row) throw new NotFound(JOBS.title);
    return new StoredResource(this.shape, row);
  }
}
