import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ownerSql, rowCount, type CountedRows } from '../counts/count-triggers.js';
import { Database, type Transaction } from '../database/database.js';
import { prepared } from '../database/statements.js';
import { Lease } from '../leases/lease.js';
import type { LoggedJob } from './job-definition.js';
import { jobLogId } from './job-log-id.js';
import type { JobStatus } from './job.entity.js';

/** Requester of a job. */
export interface JobRequester {
  id: string;
  type: string;
}

/** A job claimed by this worker, with the number of the attempt. */
export interface ClaimedJob {
  id: string;
  name: string;
  payload: object;
  /** Number of the attempt, unique among all attempts of the job. */
  attempt: number;
  /** Number of attempts since the job was created, an operator retried it, or an attempt last saved its state. */
  tryCount: number;
  /** Progress reported by the latest attempt. */
  progress: object | null;
  /** State saved by previous attempts. */
  state: object | null;
  /** Error of the previous attempt. */
  error: JobError | null;
}

/** A job that failed permanently. */
export interface FailedJob {
  id: string;
  name: string;
  attempts: number;
  completedAt: Date;
  error: JobError | null;
}

/** Unfinished jobs of a kind. */
export interface UnfinishedJobs {
  name: string;
  /** `later` means that the job is not due yet. */
  state: 'waiting' | 'running' | 'later';
  count: number;
  /** Seconds since the oldest job became due or started. */
  oldest: number;
}

/** Outcome of a job. */
export interface JobOutcome {
  status: Extract<JobStatus, 'completed' | 'errored' | 'failed'>;
  result?: object;
  error?: JobError;
}

/** Part of an error that readers of a job can see. */
export interface JobError {
  name: string;
  message: string;
}

const WORKER_DIED: JobError = { name: 'Error', message: 'Its worker died' };

const MAX_LISTED = 100;

const LOG_COUNT = 'jobLogCount';
/** Counts the jobs in the log of each application. */
export const LOGGED_JOBS: CountedRows = {
  table: 'jobs',
  holder: 'application_id',
  ofApplications: true,
  amounts: rowCount(LOG_COUNT),
};

const UNFINISHED = `status IN ('queued', 'inProgress')`;
/** Lease of a worker on a job. */
export const JOB_LEASE = new Lease<Pick<ClaimedJob, 'id' | 'attempt'>>({
  table: 'jobs',
  key: ['id'],
  working: `status = 'inProgress'`,
  ms: 20_000,
  holder: ({ id, attempt }) => [id, attempt],
});

const INSERT = `INSERT INTO jobs (id, name, payload, requested_by_id, requested_by_type, due_at, creation_date, last_updated,
    application_id, log_id, operation, resource_type, resource_id, input)
  VALUES ($1, $2, $3, $4, $5, coalesce($6, now()), now(), now(), $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING`;
const RECOUNT = `WITH dropped AS (DELETE FROM count_deltas WHERE holder_id = $1 AND kind = '${LOG_COUNT}')
  INSERT INTO count_deltas (holder_id, owner_id, kind, n)
  SELECT $1, ${ownerSql('$1')}, '${LOG_COUNT}', count(*) FROM jobs WHERE application_id = $1 HAVING count(*) > 0`;
const CLAIM = `UPDATE jobs SET status = 'inProgress', ${JOB_LEASE.claimSql}, started_at = now(), last_updated = now(),
    error = CASE status WHEN 'inProgress' THEN $2 ELSE error END
  WHERE id = $1 AND ${UNFINISHED} AND ${JOB_LEASE.dueSql}
  RETURNING name, payload::text, attempts, attempts - attempts_before, progress::text, kept::text, error::text`;
const PROGRESS = `UPDATE jobs SET progress = coalesce(progress, '{}') || $3, last_updated = now() WHERE ${JOB_LEASE.heldSql} RETURNING id`;
const SAVE_STATE = `UPDATE jobs SET kept = $3, attempts_before = attempts WHERE ${JOB_LEASE.heldSql} RETURNING id`;
const FINISH = `UPDATE jobs SET status = $3, result = $4, error = $5, payload = CASE WHEN $6 THEN '{}' ELSE payload END, last_updated = now(), completed_at = now() WHERE ${JOB_LEASE.heldSql} RETURNING id`;
const RETRY = `UPDATE jobs SET status = 'queued', error = $3, last_updated = now(), due_at = now() + $4 * interval '1 millisecond' WHERE ${JOB_LEASE.heldSql} RETURNING id`;
const ERROR = `UPDATE jobs SET status = 'errored', error = $2, started_at = now(), completed_at = now() WHERE id = $1`;
/** Counts the unfinished jobs of each kind: waiting, scheduled for later, or running. */
const COUNT_UNFINISHED = `SELECT name, CASE WHEN status = 'inProgress' THEN 'running' WHEN due_at > now() THEN 'later' ELSE 'waiting' END AS state,
    count(*)::integer AS count,
    extract(epoch FROM now() - min(CASE WHEN status = 'inProgress' THEN started_at ELSE due_at END))::float8 AS oldest
  FROM jobs WHERE ${UNFINISHED} GROUP BY 1, 2`;
const DUE = `SELECT id, status, name FROM jobs WHERE ${UNFINISHED} AND ${JOB_LEASE.dueSql} ORDER BY due_at LIMIT $1`;
const FAILED = `SELECT id, name, attempts, completed_at, error FROM jobs WHERE status = 'failed' ORDER BY completed_at DESC LIMIT $1`;
const RETRY_FAILED = `UPDATE jobs SET status = 'queued', attempts_before = attempts, completed_at = NULL, last_updated = now(), due_at = now()
  WHERE id = ANY($1) AND status = 'failed' AND name <> ALL($2) RETURNING id`;
const DELETE_OLD = `DELETE FROM jobs WHERE id IN (
  SELECT id FROM jobs WHERE completed_at < now() - $1 * interval '1 day' ORDER BY completed_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

/** Access to the rows of jobs. All times come from the database, so clocks of workers may differ. */
@Injectable()
export class JobRows {
  constructor(private readonly database: Database) {}

  async add(
    manager: EntityManager,
    job: { id: string; name: string; payload: object; dueAt?: Date; logged?: LoggedJob },
    by?: JobRequester,
  ): Promise<void> {
    const { logged } = job;
    await manager.query(INSERT, [
      job.id,
      job.name,
      JSON.stringify(job.payload),
      by?.id ?? null,
      by?.type ?? null,
      job.dueAt ?? null,
      logged?.applicationId ?? null,
      logged ? jobLogId(job.id) : null,
      logged?.operation ?? null,
      logged?.resourceType ?? null,
      logged?.resourceId ?? null,
      logged?.input ? JSON.stringify(logged.input) : null,
    ]);
  }

  /**
   * Counts the logged jobs of an application in the transaction that creates it. Workers drop counts of an application
   * that does not exist, so those of jobs that are older than it may be lost.
   */
  async recount(applicationId: string, transaction: Transaction): Promise<void> {
    await transaction.run(prepared(RECOUNT, [applicationId]));
  }

  /**
   * Claims a job that is due or whose worker died. Returns `undefined` if it has finished, is claimed by another worker
   * or is not due.
   */
  async claim(id: string): Promise<ClaimedJob | undefined> {
    const [row] = await this.database.run(prepared(CLAIM, [id, JSON.stringify(WORKER_DIED)]));
    if (!row) return undefined;
    const [name, payload, attempt, tries] = row as [string, string, string, string];
    return {
      id,
      name,
      payload: JSON.parse(payload) as object,
      attempt: Number(attempt),
      tryCount: Number(tries),
      progress: JSON.parse(row[4] ?? 'null') as object | null,
      state: JSON.parse(row[5] ?? 'null') as object | null,
      error: JSON.parse(row[6] ?? 'null') as JobError | null,
    };
  }

  /** Extends the lease of the job. Returns `false` if another worker has claimed it; so do the writes below. */
  extend(job: ClaimedJob): Promise<boolean> {
    return JOB_LEASE.extend(this.database, job);
  }

  progress(job: ClaimedJob, progress: object): Promise<boolean> {
    return JOB_LEASE.write(this.database, PROGRESS, job, [JSON.stringify(progress)]);
  }

  /**
   * Saves the state of the job in the transaction that does the work. The attempts up to now do not count, because the
   * job made progress.
   */
  saveState(
    job: Pick<ClaimedJob, 'id' | 'attempt'>,
    kept: object,
    transaction: Transaction,
  ): Promise<boolean> {
    return JOB_LEASE.write(transaction, SAVE_STATE, job, [JSON.stringify(kept)]);
  }

  finish(job: ClaimedJob, { status, result, error }: JobOutcome, forgets: boolean): Promise<boolean> {
    return JOB_LEASE.write(this.database, FINISH, job, [
      status,
      result ? JSON.stringify(result) : null,
      error ? JSON.stringify(error) : null,
      forgets,
    ]);
  }

  retry(job: ClaimedJob, error: JobError, delayMs: number): Promise<boolean> {
    return JOB_LEASE.write(this.database, RETRY, job, [JSON.stringify(error), delayMs]);
  }

  /** Ends a job that has not started. */
  async endWithError(transaction: Transaction, id: string, error: JobError): Promise<void> {
    await transaction.run(prepared(ERROR, [id, JSON.stringify(error)]));
  }

  /** Returns jobs that wait for a worker, longest overdue first; `abandoned` if their previous worker died. */
  async findDue(limit: number): Promise<{ id: string; name: string; abandoned: boolean }[]> {
    const rows = await this.database.run(prepared(DUE, [limit]));
    return rows.map(([id, status, name]) => ({ id: id!, name: name!, abandoned: status === 'inProgress' }));
  }

  /** Returns the counts of unfinished jobs by kind. */
  countUnfinished(): Promise<UnfinishedJobs[]> {
    return this.database.rows(prepared(COUNT_UNFINISHED, []));
  }

  /** Returns the jobs that failed permanently, latest first. */
  findFailed(): Promise<FailedJob[]> {
    return this.database.rows(prepared(FAILED, [MAX_LISTED]));
  }

  /** Queues failed jobs again, except kinds in `except`, and returns the IDs of the queued jobs. */
  async retryFailed(ids: readonly string[], except: readonly string[]): Promise<string[]> {
    return (await this.database.run(prepared(RETRY_FAILED, [ids, except]))).map(([id]) => id!);
  }

  /** Deletes up to `limit` jobs that ended more than `days` ago. */
  async deleteOld(days: number, limit: number): Promise<void> {
    await this.database.run(prepared(DELETE_OLD, [days, limit]));
  }
}
