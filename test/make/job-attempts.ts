import { JobRows } from '../../src/platform/jobs/job-rows.js';
import { Job } from '../../src/platform/jobs/job.entity.js';
import type { JobContext } from '../../src/platform/jobs/on-job.js';
import { newId } from '../../src/platform/repositories/resource.js';
import type { TestApp } from '../setup/app.js';

/** Why a worker gets no further. */
export class Killed extends Error {}

/** A job that is in the hands of the test, so that no worker takes it up; its id. */
export async function makeHeldJob(test: TestApp, name: string): Promise<string> {
  const id = newId().slice(-21);
  const dueAt = new Date(Date.now() + 3_600_000);
  await test.dataSource.query(
    `INSERT INTO jobs (id, name, payload, status, attempts, due_at, creation_date, last_updated)
     VALUES ($1, $2, '{}', 'inProgress', 0, $3, now(), now())`,
    [id, name, dueAt],
  );
  return id;
}

/**
 * The next attempt at such a job, with the progress of earlier ones. `kept` runs after the attempt has stored
 * progress and before the commit. An error that it throws stands for the death of the worker.
 */
export async function nextAttempt(
  test: TestApp,
  id: string,
  kept: (times: number) => void = () => undefined,
): Promise<JobContext> {
  await test.dataSource.query('UPDATE jobs SET attempts = attempts + 1 WHERE id = $1', [id]);
  const job = await test.dataSource.manager.findOneByOrFail(Job, { id });
  const attempt = job.attempts;
  let times = 0;
  return {
    id,
    attempt,
    ...(job.kept ? { kept: job.kept } : {}),
    last: false,
    signal: new AbortController().signal,
    progress: () => Promise.resolve(),
    keep: async (what, transaction) => {
      const isMine = await test.app.get(JobRows, { strict: false }).keep({ id, attempt }, what, transaction);
      if (!isMine) throw new Killed('Another worker has the job');
      kept(++times);
    },
  };
}
