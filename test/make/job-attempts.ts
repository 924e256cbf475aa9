import { JobRows } from '../../src/platform/jobs/job-rows.js';
import { Job } from '../../src/platform/jobs/job.entity.js';
import type { JobContext } from '../../src/platform/jobs/on-job.js';
import { newId } from '../../src/platform/repositories/resource.js';
import type { TestApp } from '../setup/app.js';

/** Thrown at the point at which the worker is killed. */
export class Killed extends Error {}

/** Creates a job held by the test, so that no worker takes it, and returns its ID. */
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
 * Starts the next attempt at such a job, with the state kept by earlier attempts. `kept` is called after each time the
 * attempt keeps state, inside its transaction; throwing from it simulates the death of the worker.
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
    ...(job.kept ? { state: job.kept } : {}),
    isLastAttempt: false,
    signal: new AbortController().signal,
    progress: () => Promise.resolve(),
    saveState: async (what, transaction) => {
      const isMine = await test.app
        .get(JobRows, { strict: false })
        .saveState({ id, attempt }, what, transaction);
      if (!isMine) throw new Killed('Another worker has the job');
      kept(++times);
    },
  };
}
