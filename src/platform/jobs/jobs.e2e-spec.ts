import { getQueueToken } from '@nestjs/bull';
import { Injectable, type INestApplicationContext } from '@nestjs/common';
import type { Queue } from 'bull';
import { DataSource } from 'typeorm';
import {
  waitForEnd,
  enqueue,
  eventually,
  insertJob,
  makeDue,
  readJob,
  jobProcesses,
} from '../../../test/setup/job-process.js';
import { waitUntil } from '../../../test/setup/until.js';
import { freshDatabase } from '../../../test/setup/fresh-database.js';
import { Database } from '../database/database.js';
import { NotFound } from '../../lib/errors/errors.js';
import { Metrics } from '../probes/metrics.js';
import { defineJob } from './job-definition.js';
import { JobRows } from './job-rows.js';
import { Job } from './job.entity.js';
import { JobsService } from './jobs.service.js';
import { OnJob, type JobContext } from './on-job.js';
import { QUEUE } from './queue.js';
import { Reconciler } from './reconciler.js';

const DOUBLE = defineJob<{ n: number }>('test.double');
const FAIL = defineJob<{ error: 'unexpected' | 'final' }>('test.fail', { attempts: 2 });
const HANG = defineJob<object>('test.hang', { attempts: 1, timeoutMs: 50 });
const WAIT = defineJob<object>('test.wait');
/** Request for a `DOUBLE` job. */
const TO_DOUBLE = { name: 'test.double', payload: { n: 3 } };
const CLIMB = defineJob<{ steps: number }>('test.climb', { attempts: 2 });
const JOBS = [DOUBLE, FAIL, HANG, WAIT, CLIMB];

/** Jobs blocked in `WAIT`, by ID, with the function that releases each. */
const waiting = new Map<string, () => void>();
let began: (id: string) => void = () => undefined;

/** Whether each failing attempt of `CLIMB` believed to be the last one, after it had saved its state. */
const believed: boolean[] = [];

@Injectable()
class Handlers {
  constructor(private readonly database: Database) {}

  /** Makes one step in each attempt, and two attempts without a step at the end. */
  @OnJob(CLIMB)
  async climb({ steps }: { steps: number }, job: JobContext): Promise<void> {
    const { step } = (job.state ?? { step: 0 }) as { step: number };
    if (step < steps)
      await this.database.transaction((transaction) => job.saveState({ step: step + 1 }, transaction));
    believed.push(job.isLastAttempt);
    throw new Error('It slipped');
  }

  @OnJob(DOUBLE)
  async double({ n }: { n: number }, job: JobContext): Promise<object> {
    await job.progress({ completed: 1, total: 2, status: 'doubling' });
    return { n: 2 * n, attempt: job.attempt };
  }

  @OnJob(FAIL)
  async fail({ error }: { error: string }): Promise<void> {
    throw error === 'final' ? new NotFound('Thing') : new Error('a secret');
  }

  @OnJob(HANG)
  hang(): Promise<void> {
    return new Promise(() => undefined);
  }

  @OnJob(WAIT)
  async wait(_payload: object, { id }: JobContext): Promise<void> {
    const released = new Promise<void>((resolve) => waiting.set(id, resolve));
    began(id);
    await released;
  }
}

const start = jobProcesses({ handlers: [Handlers], jobs: JOBS });

describe('jobs', () => {
  let api: INestApplicationContext;
  let worker: INestApplicationContext;

  beforeAll(async () => {
    api = await start({ runsWorker: false });
    worker = await start({ runsWorker: true });
  });
  afterAll(async () => {
    await worker.close();
    await api.close();
  });

  it('run in another process, which stores progress and result in the row', async () => {
    const id = await api
      .get(Database)
      .transaction((transaction) =>
        api.get(JobsService).enqueue(transaction, DOUBLE, { n: 21 }, { id: 'u1', type: 'user' }),
      );
    expect(id).toHaveLength(21);
    expect(await eventually(api, id, waitForEnd)).toMatchObject({
      name: 'test.double',
      payload: { n: 21 },
      status: 'completed',
      progress: { completed: 1, total: 2, status: 'doubling' },
      result: { n: 42, attempt: 1 },
      error: null,
      attempts: 1,
      requestedById: 'u1',
      requestedByType: 'user',
    });
  });

  it('are not created if the transaction is rolled back', async () => {
    let id = '';
    const undone = api.get(Database).transaction(async (transaction) => {
      id = await api.get(JobsService).enqueue(transaction, DOUBLE, { n: 1 });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await api.get(DataSource).manager.existsBy(Job, { id })).toBe(false);
  });

  it('end immediately on an error that a retry would repeat', async () => {
    const id = await enqueue(api, FAIL, { error: 'final' });
    const error = { name: 'NotFound', message: 'Thing was not found' };
    expect(await eventually(api, id, waitForEnd)).toMatchObject({ status: 'errored', error, attempts: 1 });
  });

  it('are retried after an unexpected error, whose details are hidden, and then fail', async () => {
    const id = await enqueue(api, FAIL, { error: 'unexpected' });
    const error = { name: 'Error', message: 'The job failed unexpectedly' };
    const first = await eventually(api, id, (job) => job.error !== null);
    expect(first).toMatchObject({ status: 'queued', error, attempts: 1, completedAt: null });
    expect(first.dueAt.getTime()).toBeGreaterThan(first.lastUpdated.getTime());
    await makeDue(api, id);
    await worker.get(Reconciler).reconcile();
    expect(await eventually(api, id, waitForEnd)).toMatchObject({ status: 'failed', error, attempts: 2 });
  });

  it('are counted and listed after they fail, and restart if an operator retries them', async () => {
    const id = await enqueue(api, HANG, {});
    expect(await eventually(api, id, waitForEnd)).toMatchObject({ status: 'failed', attempts: 1 });
    const rows = worker.get(JobRows);
    expect(await rows.findFailed()).toContainEqual(
      expect.objectContaining({ id, name: 'test.hang', attempts: 1 }),
    );
    const count = async () =>
      Number(
        /^jobs_ended_total\{name="test.hang",status="failed"\} (\d+)$/m.exec(
          await worker.get(Metrics).registry.metrics(),
        )![1],
      );
    const before = await count();
    expect(await rows.retryFailed([id], ['test.hang'])).toEqual([]);
    expect(await rows.retryFailed([id], [])).toEqual([id]);
    expect(await rows.retryFailed([id], [])).toEqual([]);
    await worker.get(Reconciler).reconcile();
    expect(await eventually(api, id, (job) => waitForEnd(job) && job.attempts === 2)).toMatchObject({
      status: 'failed',
      error: { name: 'Interrupted' },
    });
    await waitUntil(async () => (await count()) === before + 1);
  });

  it('end when they time out', async () => {
    const id = await enqueue(api, HANG, {});
    const error = { name: 'Interrupted', message: 'The job took longer than 0.05 seconds' };
    expect(await eventually(api, id, waitForEnd)).toMatchObject({ status: 'failed', error });
  });

  it('fail if this version does not define them', async () => {
    const { id } = await insertJob(api, { name: 'test.of-another-version' });
    await worker.get(Reconciler).reconcile();
    const error = { name: 'Error', message: 'There is no job test.of-another-version' };
    expect(await eventually(api, id, waitForEnd)).toMatchObject({ status: 'failed', error });
  });

  it('run even if the queue lost their entry or has only a remnant of it', async () => {
    const [unheard, removed] = [await insertJob(api, TO_DOUBLE), await insertJob(api, TO_DOUBLE)];
    const queue = worker.get<Queue>(getQueueToken(QUEUE));
    await queue.client.hset(queue.toKey(removed.id), { attemptsMade: 1, failedReason: 'of long ago' });
    await worker.get(Reconciler).reconcile();
    for (const { id } of [unheard, removed])
      expect(await eventually(api, id, waitForEnd)).toMatchObject({ status: 'completed', result: { n: 6 } });
  });

  it('run once, regardless of the number of workers', async () => {
    const second = await start({ runsWorker: true });
    const rows = await Promise.all(Array.from({ length: 8 }, () => insertJob(api, TO_DOUBLE)));
    await Promise.all([worker, second, worker, second].map((each) => each.get(Reconciler).reconcile()));
    for (const { id } of rows) {
      expect(await eventually(api, id, waitForEnd)).toMatchObject({ status: 'completed', attempts: 1 });
    }
    await second.close();
  });

  it('are taken over from a dead worker, and fail if they kill each worker', async () => {
    const row = { status: 'inProgress' as const, startedAt: new Date() };
    const once = await insertJob(api, { ...row, name: 'test.double', payload: { n: 4 }, attempts: 1 });
    const always = await insertJob(api, { ...row, name: 'test.double', payload: { n: 4 }, attempts: 5 });
    await worker.get(Reconciler).reconcile();
    expect(await eventually(api, once.id, waitForEnd)).toMatchObject({
      status: 'completed',
      result: { n: 8, attempt: 2 },
    });
    const error = { name: 'Error', message: 'Its worker died' };
    expect(await eventually(api, always.id, waitForEnd)).toMatchObject({ status: 'failed', error });
  });

  it('are not given up after deaths or errors of attempts that made progress', async () => {
    const rows = api.get(JobRows);
    const far = new Date(Date.now() + 3_600_000);
    const { id } = await insertJob(api, { name: 'test.climb', payload: { steps: 9 }, dueAt: far });
    for (let step = 1; step <= 6; step++) {
      await makeDue(api, id);
      const job = (await rows.claim(id))!;
      expect(job.tryCount).toBe(1);
      await api.get(Database).transaction((transaction) => rows.saveState(job, { step }, transaction));
    }
    const attempted = (n: number) => (job: Job) =>
      job.attempts === n && (job.status === 'queued' || waitForEnd(job));
    for (let attempt = 7; attempt <= 11; attempt++) {
      await makeDue(api, id);
      await worker.get(Reconciler).reconcile();
      expect([attempt, (await eventually(api, id, attempted(attempt))).status]).toEqual([
        attempt,
        attempt < 11 ? 'queued' : 'failed',
      ]);
    }
    expect(believed).toEqual([false, false, false, false, true]);
    expect(await readJob(api, id)).toMatchObject({ kept: { step: 9 } });
  });

  it('are not taken over while their worker is alive', async () => {
    const { id } = await insertJob(api, {
      name: 'test.double',
      status: 'inProgress',
      attempts: 1,
      dueAt: new Date(Date.now() + 60_000),
    });
    expect(await worker.get(JobRows).claim(id)).toBeUndefined();
  });

  it('ignore writes from a worker that has lost them', async () => {
    const rows = api.get(JobRows);
    const { id } = await insertJob(api, { name: 'test.double', status: 'inProgress', dueAt: new Date(0) });
    const first = (await rows.claim(id))!;
    await makeDue(api, id);
    const second = (await rows.claim(id))!;
    const late = { status: 'completed', result: { of: 'the first' } } as const;
    expect(await rows.extend(first)).toBe(false);
    expect(await rows.progress(first, {})).toBe(false);
    expect(await rows.retry(first, { name: '', message: '' }, 0)).toBe(false);
    expect(await rows.finish(first, late, false)).toBe(false);
    expect(await rows.finish(second, { status: 'completed', result: { of: 'the second' } }, false)).toBe(
      true,
    );
    expect(await rows.finish(second, late, false)).toBe(false);
    expect(await readJob(api, id)).toMatchObject({ attempts: 2, result: { of: 'the second' } });
  });

  it('are deleted a month after their end', async () => {
    const days = (n: number) => new Date(Date.now() - n * 86_400_000);
    const old = await insertJob(api, { name: 'test.double', status: 'completed', completedAt: days(31) });
    const recent = await insertJob(api, { name: 'test.double', status: 'completed', completedAt: days(29) });
    await worker.get(Reconciler).reconcile();
    expect(await api.get(DataSource).manager.existsBy(Job, { id: old.id })).toBe(false);
    expect(await api.get(DataSource).manager.existsBy(Job, { id: recent.id })).toBe(true);
  });

  it('are reported by kind, with their age, in the metrics of workers while unfinished', async () => {
    const minute = 60_000;
    const at = (ms: number) => new Date(Date.now() + ms);
    const running = { name: 'test.wait', status: 'inProgress', attempts: 1, dueAt: at(minute) } as const;
    await insertJob(api, { ...running, startedAt: at(-2 * minute) });
    await insertJob(api, { ...running, startedAt: at(-minute) });
    await insertJob(api, { name: 'test.hang', dueAt: at(60 * minute) });
    const valueOf = async (metric: string, name: string, state: string, of = worker) => {
      const metrics = await of.get(Metrics).registry.metrics();
      const [, value] =
        new RegExp(`^${metric}{name="${name}",state="${state}"} (\\S+)$`, 'm').exec(metrics) ?? [];
      return value === undefined ? undefined : Number(value);
    };
    expect(await valueOf('jobs', 'test.wait', 'running')).toBe(2);
    expect(await valueOf('jobs', 'test.hang', 'later')).toBe(1);
    expect(await valueOf('jobs', 'test.fail', 'running')).toBe(0);
    expect(await valueOf('jobs_oldest_seconds', 'test.wait', 'running')).toBeGreaterThanOrEqual(120);
    expect(await valueOf('jobs_oldest_seconds', 'test.hang', 'later')).toBeUndefined();
    expect(await valueOf('jobs', 'test.wait', 'running', api)).toBeUndefined();
    await api.get(DataSource).manager.delete(Job, { name: 'test.wait' });
  });

  it('do not prevent metrics from being served without the database', async () => {
    const rows = worker.get(JobRows);
    const standing = jest.spyOn(rows, 'countUnfinished').mockRejectedValue(new Error('The database is away'));
    const metrics = await worker.get(Metrics).registry.metrics();
    standing.mockRestore();
    expect(metrics).toContain('process_cpu_seconds_total');
    expect(metrics).not.toMatch(/^jobs\{/m);
  });

  it('are drained when their worker stops', async () => {
    // A database of its own, so that no other worker takes the job.
    const apart = await freshDatabase({ migrated: true });
    const reader = await start({ runsWorker: false, databaseUrl: apart.url });
    const own = await start({ runsWorker: true, databaseUrl: apart.url });
    const started = new Promise<string>((resolve) => (began = resolve));
    await enqueue(own, WAIT, {});
    const id = await started;
    let closed = false;
    const queue = own.get<Queue>(getQueueToken(QUEUE));
    const closing = own.close().then(() => (closed = true));
    await waitUntil(() => queue.isPaused(true));
    expect(closed).toBe(false);
    waiting.get(id)!();
    await closing;
    expect(await readJob(reader, id)).toMatchObject({ status: 'completed', attempts: 1 });
    await reader.close();
    await apart.drop();
  });
});
