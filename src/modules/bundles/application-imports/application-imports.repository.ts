import { Injectable } from '@nestjs/common';
import type { JobRequester } from '../../../platform/jobs/job-rows.js';
import { Database, type Runner, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import type { JobStatus } from '../../../platform/jobs/job.entity.js';
import type { ImportOptionsLog, ImportResult } from './application-import.entity.js';

/** Row of the import log. */
export interface LoggedImport {
  id: string;
  applicationId: string;
  jobId: string | null;
  status: JobStatus;
  asked: ImportOptionsLog;
  result: ImportResult | null;
  sourceId: string;
  sourceType: string;
  runQueuedAt: Date;
  runStartedAt: Date | null;
  runCompletedAt: Date | null;
}

/** Idempotent: a row is added once, whether the request or a job runs the import. */
const ADD = `INSERT INTO application_imports (id, application_id, job_id, status, asked, source_id, source_type, run_queued_at)
  VALUES ($1, $2, $3, 'queued', $4, $5, $6, now()) ON CONFLICT (id) DO NOTHING`;
/** Locks the row, so other attempts at the same import cannot write until the transaction ends. */
const CLAIM = `INSERT INTO application_imports AS i (id, application_id, status, asked, source_id, source_type, run_queued_at)
  VALUES ($1, $2, 'inProgress', $3, $4, $5, now())
  ON CONFLICT (id) DO UPDATE SET status = 'inProgress' WHERE i.status IN ('queued', 'inProgress') RETURNING 1`;
const BEGIN = `UPDATE application_imports SET status = 'inProgress', run_started_at = coalesce(run_started_at, now())
  WHERE id = $1 AND status IN ('queued', 'inProgress')`;
const END = `UPDATE application_imports SET status = $2, result = $3, run_started_at = coalesce(run_started_at, now()), run_completed_at = now()
  WHERE id = $1 AND status IN ('queued', 'inProgress') RETURNING 1`;
const COMPLETED = `SELECT result FROM application_imports WHERE id = $1 AND status = 'completed'`;
const LOG = `SELECT id, application_id, job_id, status, asked, result, source_id, source_type, run_queued_at, run_started_at, run_completed_at
  FROM application_imports WHERE application_id = $1 AND run_queued_at > $2 ORDER BY run_queued_at DESC, id DESC LIMIT $3`;

/** Stores the import log. */
@Injectable()
export class ApplicationImportsRepository {
  constructor(private readonly database: Database) {}

  /** Records that an import was requested. */
  async add(
    id: string,
    applicationId: string,
    jobId: string | undefined,
    asked: ImportOptionsLog,
    by: JobRequester,
    runner: Runner,
  ): Promise<void> {
    const values = [id, applicationId, jobId ?? null, JSON.stringify(asked), by.id, by.type];
    await runner.run(prepared(ADD, values));
  }

  /** Claims an import in the transaction that writes it. Returns `false` if another attempt has already finished it. */
  async claim(
    id: string,
    applicationId: string,
    asked: ImportOptionsLog,
    by: JobRequester,
    transaction: Transaction,
  ): Promise<boolean> {
    const values = [id, applicationId, JSON.stringify(asked), by.id, by.type];
    return (await transaction.run(prepared(CLAIM, values))).length > 0;
  }

  /** Records that the import started. */
  async begin(id: string): Promise<void> {
    await this.database.run(prepared(BEGIN, [id]));
  }

  /** Records the result. Returns `false` if a result is already recorded. */
  async end(
    id: string,
    status: Extract<JobStatus, 'completed' | 'errored' | 'failed'>,
    result: ImportResult,
    runner: Runner = this.database,
  ): Promise<boolean> {
    return (await runner.run(prepared(END, [id, status, JSON.stringify(result)]))).length > 0;
  }

  /** Returns the result of a completed import, or `undefined` if it is not completed. */
  async completed(id: string): Promise<ImportResult | undefined> {
    const [row] = await this.database.rows<{ result: ImportResult }>(prepared(COMPLETED, [id]));
    return row?.result;
  }

  /** Returns the imports into an application after a given time, newest first. */
  log(applicationId: string, since: Date | undefined, limit: number): Promise<LoggedImport[]> {
    const statement = prepared(LOG, [applicationId, since ?? '-infinity', limit]);
    return this.database.rows({ ...statement, sizedBy: 'limit' });
  }
}
