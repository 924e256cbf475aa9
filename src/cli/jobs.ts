import type { DataSource } from 'typeorm';
import { jobs } from '../families.js';
import { Database } from '../platform/database/database.js';
import { JobRows, type FailedJob } from '../platform/jobs/job-rows.js';

/** Job kinds whose payload is erased when they end; they cannot be retried. */
const ERASING_KINDS = jobs.filter(({ options }) => options.erasesPayload).map(({ name }) => name);

const rowsOf = (dataSource: DataSource): JobRows => new JobRows(new Database(dataSource));

/** Returns the jobs that failed permanently, latest first. */
export const listFailedJobs = (dataSource: DataSource): Promise<FailedJob[]> =>
  rowsOf(dataSource).findFailed();

/** Queues failed jobs again. Rejects with a message for the operator if one of them cannot be retried. */
export async function retryJobs(dataSource: DataSource, ids: readonly string[]): Promise<string[]> {
  const retried = await rowsOf(dataSource).retryFailed(ids, ERASING_KINDS);
  const left = ids.filter((id) => !retried.includes(id));
  if (left.length === 0) return retried;
  const done = retried.length ? `Queued again: ${retried.join(', ')}. ` : '';
  throw new Error(
    `${done}Not queued: ${left.join(', ')}. Each must have failed; jobs of kind ${ERASING_KINDS.join(', ')} keep no payload and cannot be retried.`,
  );
}
