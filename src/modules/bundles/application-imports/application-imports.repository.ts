import { Injectable } from '@nestjs/common';
import type { JobRequester } from '../../../platform/jobs/job-rows.js';
import { Database, type Runner, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import type { JobStatus } from '../../../platform/jobs/job.entity.js';
import type { AskedImport, ImportResult } from './application-import.entity.js';

/** An import as the log shows it. */
export interface LoggedImport {
  id: string;
  applicationId: string;
  jobId: string | null;
  status: JobStatus;
  asked: AskedImport;
  result: ImportResult | null;
  sourceId: string;
  sourceType: string;
  runQueuedAt: Date;
  runStartedAt: Date | null;
  runCompletedAt: Date | null;
}

/** A row is added once, whichever way the import goes on. */
const ADD = `INSERT INTO application_imports (id, application_id, job_id, status, asked, source_id, source_type, run_queued_at)
  VALUES ($1, $2, $3, 'queued', $4, $5, $6, now()) ON CONFLICT (id) DO NOTHING`;
/** Until the transaction ends no other attempt at the same import writes. */
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

/** The rows that tell of imports. */
@Injectable()
export class ApplicationImportsRepository {
  constructor(private readonly database: Database) {}

  /** Notes that an import was asked for. */
  async add(
    id: string,
    applicationId: string,
    jobId: string | undefined,
    asked: AskedImport,
    by: JobRequester,
    runner: Runner,
  ): Promise<void> {
    const values = [id, applicationId, jobId ?? null, JSON.stringify(asked), by.id, by.type];
    await runner.run(prepared(ADD, values));
  }

  /** Takes an import up as part of the transaction that writes it; false where it has ended, as another attempt did it. */
  async claim(
    id: string,
    applicationId: string,
    asked: AskedImport,
    by: JobRequester,
    transaction: Transaction,
  ): Promise<boolean> {
    const values = [id, applicationId, JSON.stringify(asked), by.id, by.type];
    return (await transaction.run(prepared(CLAIM, values))).length > 0;
  }

  /** Notes that it was begun. */
  async begin(id: string): Promise<void> {
    await this.database.run(prepared(BEGIN, [id]));
  }

  /** Notes how it ended, once; false where that is noted. */
  async end(
    id: string,
    status: Extract<JobStatus, 'completed' | 'errored' | 'failed'>,
    result: ImportResult,
    runner: Runner = this.database,
  ): Promise<boolean> {
    return (await runner.run(prepared(END, [id, status, JSON.stringify(result)]))).length > 0;
  }

  /** What came of an import that is completed; nothing of any other. */
  async completed(id: string): Promise<ImportResult | undefined> {
    const [row] = await this.database.rows<{ result: ImportResult }>(prepared(COMPLETED, [id]));
    return row?.result;
  }

  /** Imports into an application from after a time, the newest first. */
  log(applicationId: string, since: Date | undefined, limit: number): Promise<LoggedImport[]> {
    return this.database.rows(prepared(LOG, [applicationId, since ?? '-infinity', limit]));
  }
}
