import type { DataSource } from 'typeorm';
import { jobs } from '../jobs.js';
import { Database } from '../platform/database/database.js';
import { JobRows, type FailedJob } from '../platform/jobs/job-rows.js';

/** Kinds whose payload is erased when they end, so that nothing is left to try again. */
const FORGETTING = jobs.filter(({ options }) => options.forgets).map(({ name }) => name);

const rowsOf = (dataSource: DataSource): JobRows => new JobRows(new Database(dataSource));

/** Jobs that were given up, the latest first. */
export const listFailedJobs = (dataSource: DataSource): Promise<FailedJob[]> => rowsOf(dataSource).failed();

/** Has jobs tried again that were given up; rejects with a sentence where one of them cannot be. */
export async function retryJobs(dataSource: DataSource, ids: readonly string[]): Promise<string[]> {
  const retried = await rowsOf(dataSource).retryFailed(ids, FORGETTING);
  const left = ids.filter((id) => !retried.includes(id));
  if (left.length === 0) return retried;
  const done = retried.length ? `Queued again: ${retried.join(', ')}. ` : '';
  throw new Error(
    `${done}Not queued: ${left.join(', ')}. Each must have failed, and of ${FORGETTING.join(', ')} nothing is kept to try again.`,
  );
}
