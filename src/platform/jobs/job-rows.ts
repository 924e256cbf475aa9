import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Runner, type Transaction } from '../database/database.js';
import { prepared } from '../database/statements.js';
import type { LoggedJob } from './job-definition.js';
import { jobLogId } from './job-log-id.js';
import type { JobStatus } from './job.entity.js';

/** Who asked for a job. */
export interface JobRequester {
  id: string;
  type: string;
}

/** A job that this worker has, as the attempt that it has it for. */
export interface ClaimedJob {
  id: string;
  name: string;
  payload: object;
  /** Its number among all attempts of the job: no two are the same. */
  attempt: number;
  /** How many there were of late: since it was made, or an operator had it tried again. */
  tries: number;
  /** What the latest attempt said of how far it was. */
  progress: object | null;
  /** What the attempts before have done. */
  kept: object | null;
  /** What the attempt before ended with. */
  error: JobError | null;
}

/** A job that was given up. */
export interface FailedJob {
  id: string;
  name: string;
  attempts: number;
  completedAt: Date;
  error: JobError | null;
}

/** Jobs of a kind that are to be done. */
export interface StandingJobs {
  name: string;
  /** `later` are those whose time has not come yet. */
  state: 'waiting' | 'running' | 'later';
  count: number;
  /** Seconds since the oldest could have begun, or has. */
  oldest: number;
}

/** How a job ended. */
export interface JobEnd {
  status: Extract<JobStatus, 'completed' | 'errored' | 'failed'>;
  result?: object;
  error?: JobError;
}

/** What readers of a job are told of an error. */
export interface JobError {
  name: string;
  message: string;
}

/** A worker that has not been heard of for so long is dead. */
export const LEASE_MS = 20_000;
const DIED: JobError = { name: 'Error', message: 'Its worker died' };

const MOST_LISTED = 100;

const UNFINISHED = `status IN ('queued', 'inProgress')`;
const IN = (parameter: number): string => `now() + $${parameter} * interval '1 millisecond'`;
/** The attempt is still this worker's: nobody took the job up after it. */
const MINE = `id = $1 AND attempts = $2 AND status = 'inProgress'`;

const INSERT = `INSERT INTO jobs (id, name, payload, requested_by_id, requested_by_type, due_at, creation_date, last_updated,
    application_id, log_id, operation, resource_type, resource_id, input)
  VALUES ($1, $2, $3, $4, $5, coalesce($6, now()), now(), now(), $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING`;
const CLAIM = `UPDATE jobs SET status = 'inProgress', attempts = attempts + 1, started_at = now(), last_updated = now(), due_at = ${IN(2)},
    error = CASE status WHEN 'inProgress' THEN $3 ELSE error END
  WHERE id = $1 AND ${UNFINISHED} AND due_at <= now()
  RETURNING name, payload::text, attempts, attempts - attempts_before, progress::text, kept::text, error::text`;
const EXTEND = `UPDATE jobs SET due_at = ${IN(3)} WHERE ${MINE} RETURNING id`;
const PROGRESS = `UPDATE jobs SET progress = $3, last_updated = now() WHERE ${MINE} RETURNING id`;
const KEEP = `UPDATE jobs SET kept = $3 WHERE ${MINE} RETURNING id`;
const FINISH = `UPDATE jobs SET status = $3, result = $4, error = $5, payload = CASE WHEN $6 THEN '{}' ELSE payload END, last_updated = now(), completed_at = now() WHERE ${MINE} RETURNING id`;
const RETRY = `UPDATE jobs SET status = 'queued', error = $3, last_updated = now(), due_at = ${IN(4)} WHERE ${MINE} RETURNING id`;
const ERROR = `UPDATE jobs SET status = 'errored', error = $2, started_at = now(), completed_at = now() WHERE id = $1`;
/** Of the kinds that there are, what is to be done: due and waiting, due later, or in the hands of a worker. */
const STANDING = `SELECT name, CASE WHEN status = 'inProgress' THEN 'running' WHEN due_at > now() THEN 'later' ELSE 'waiting' END AS state,
    count(*)::integer AS count,
    extract(epoch FROM now() - min(CASE WHEN status = 'inProgress' THEN started_at ELSE due_at END))::float8 AS oldest
  FROM jobs WHERE ${UNFINISHED} GROUP BY 1, 2`;
const DUE = `SELECT id, status, name FROM jobs WHERE ${UNFINISHED} AND due_at <= now() ORDER BY due_at LIMIT $1`;
const FAILED = `SELECT id, name, attempts, completed_at, error FROM jobs WHERE status = 'failed' ORDER BY completed_at DESC LIMIT $1`;
const RETRY_FAILED = `UPDATE jobs SET status = 'queued', attempts_before = attempts, completed_at = NULL, last_updated = now(), due_at = now()
  WHERE id = ANY($1) AND status = 'failed' AND name <> ALL($2) RETURNING id`;
const DELETE_OLD = `DELETE FROM jobs WHERE id IN (
  SELECT id FROM jobs WHERE completed_at < now() - $1 * interval '1 day' ORDER BY completed_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

/** The rows of jobs. Every time is the database's, so workers need not agree on one. */
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

  /** Takes up a job that is due, or whose worker has died; nothing when it is finished, another's, or not due yet. */
  async claim(id: string): Promise<ClaimedJob | undefined> {
    const [row] = await this.database.run(prepared(CLAIM, [id, LEASE_MS, JSON.stringify(DIED)]));
    if (!row) return undefined;
    const [name, payload, attempt, tries] = row as [string, string, string, string];
    return {
      id,
      name,
      payload: JSON.parse(payload) as object,
      attempt: Number(attempt),
      tries: Number(tries),
      progress: JSON.parse(row[4] ?? 'null') as object | null,
      kept: JSON.parse(row[5] ?? 'null') as object | null,
      error: JSON.parse(row[6] ?? 'null') as JobError | null,
    };
  }

  /** Tells the others that this worker lives. False when the job is another's by now; so with the writes below. */
  extend(job: ClaimedJob): Promise<boolean> {
    return this.write(EXTEND, job, [LEASE_MS]);
  }

  progress(job: ClaimedJob, progress: object): Promise<boolean> {
    return this.write(PROGRESS, job, [JSON.stringify(progress)]);
  }

  /** Keeps what the job has done, in the transaction that does it. */
  keep(job: Pick<ClaimedJob, 'id' | 'attempt'>, kept: object, transaction: Transaction): Promise<boolean> {
    return this.write(KEEP, job, [JSON.stringify(kept)], transaction);
  }

  finish(job: ClaimedJob, { status, result, error }: JobEnd, forgets: boolean): Promise<boolean> {
    return this.write(FINISH, job, [
      status,
      result ? JSON.stringify(result) : null,
      error ? JSON.stringify(error) : null,
      forgets,
    ]);
  }

  retry(job: ClaimedJob, error: JobError, delayMs: number): Promise<boolean> {
    return this.write(RETRY, job, [JSON.stringify(error), delayMs]);
  }

  /** Ends a job that was never begun. */
  async error(transaction: Transaction, id: string, error: JobError): Promise<void> {
    await transaction.run(prepared(ERROR, [id, JSON.stringify(error)]));
  }

  /** Jobs that wait for a worker, those due longest first; `abandoned` when one had it and died. */
  async due(limit: number): Promise<{ id: string; name: string; abandoned: boolean }[]> {
    const rows = await this.database.run(prepared(DUE, [limit]));
    return rows.map(([id, status, name]) => ({ id: id!, name: name!, abandoned: status === 'inProgress' }));
  }

  /** What is to be done, by kind. */
  standing(): Promise<StandingJobs[]> {
    return this.database.rows(prepared(STANDING, []));
  }

  /** Jobs that were given up, the latest first. */
  failed(): Promise<FailedJob[]> {
    return this.database.rows(prepared(FAILED, [MOST_LISTED]));
  }

  /** Has jobs tried again that were given up, but for those of kinds that `except` names; the ids of those that are. */
  async retryFailed(ids: readonly string[], except: readonly string[]): Promise<string[]> {
    return (await this.database.run(prepared(RETRY_FAILED, [ids, except]))).map(([id]) => id!);
  }

  /** Deletes up to `limit` jobs that ended more than `days` ago. */
  async deleteOld(days: number, limit: number): Promise<void> {
    await this.database.run(prepared(DELETE_OLD, [days, limit]));
  }

  private async write(
    text: string,
    { id, attempt }: Pick<ClaimedJob, 'id' | 'attempt'>,
    values: readonly unknown[],
    runner: Runner = this.database,
  ): Promise<boolean> {
    return (await runner.run(prepared(text, [id, attempt, ...values]))).length > 0;
  }
}
