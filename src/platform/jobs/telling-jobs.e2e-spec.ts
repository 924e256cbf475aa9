import { Injectable, type INestApplicationContext } from '@nestjs/common';
import { waitForEnd, eventually, insertJob, makeDue, jobProcesses } from '../../../test/setup/job-process.js';
import { defineJob } from './job-definition.js';
import type { Job } from './job.entity.js';
import { OnJob, type JobContext } from './on-job.js';
import { Reconciler } from './reconciler.js';

const TELL = defineJob<object>('test.tell', { notifies: true, timeoutMs: 200 });
const LAST = 5;

/** Behavior of each attempt, by number. */
let attempts: Record<number, (job: JobContext) => Promise<void>>;
/** Notifications that the handler sent. */
let told: string[];

@Injectable()
class Handlers {
  @OnJob(TELL)
  async tell(_payload: object, job: JobContext): Promise<void> {
    await attempts[job.attempt]?.(job);
    told.push(job.permanentFailure ? `given up: ${job.permanentFailure.message}` : 'done');
    if (job.permanentFailure) throw job.permanentFailure;
  }
}

/** Rejects with the error of a PostgreSQL server that is shutting down. */
const away = () => Promise.reject(Object.assign(new Error('terminating connection'), { code: '57P01' }));
const UNEXPECTED = { name: 'Error', message: 'The job failed unexpectedly' };

const start = jobProcesses({ handlers: [Handlers], jobs: [TELL] });
let worker: INestApplicationContext;

beforeEach(() => {
  attempts = {};
  told = [];
});

/** Creates a job with one attempt left and returns its ID. */
async function beforeTheLast(given: Partial<Job> = {}): Promise<string> {
  const { id } = await insertJob(worker, { name: 'test.tell', attempts: LAST - 1, ...given });
  await worker.get(Reconciler).reconcile();
  return id;
}

/** Waits for the end of an attempt and starts the next one without back-off. */
async function goOnAfter(id: string, attempt: number): Promise<void> {
  await eventually(worker, id, (job) => job.attempts === attempt && job.status === 'queued');
  await makeDue(worker, id);
  await worker.get(Reconciler).reconcile();
}

describe('Jobs that send a notification when they end', () => {
  beforeAll(async () => {
    worker = await start({ runsWorker: true });
  });
  afterAll(() => worker.close());

  it('report the failure if their worker died during the last attempt', async () => {
    const id = await beforeTheLast({ status: 'inProgress', startedAt: new Date(), attempts: LAST });
    const error = { name: 'Error', message: 'Its worker died' };
    expect(await eventually(worker, id, waitForEnd)).toMatchObject({
      status: 'failed',
      error,
      attempts: LAST + 1,
    });
    expect(told).toEqual(['given up: Its worker died']);
  });

  it('report the failure once the database is back, if it was down during the last attempt and the notification', async () => {
    attempts = { [LAST]: away, [LAST + 1]: away };
    const id = await beforeTheLast();
    await goOnAfter(id, LAST);
    await goOnAfter(id, LAST + 1);
    expect(await eventually(worker, id, waitForEnd)).toMatchObject({ status: 'failed', error: UNEXPECTED });
    expect(told).toEqual([`given up: ${UNEXPECTED.message}`]);
  });

  it('report the failure if the last attempt timed out', async () => {
    attempts = { [LAST]: () => new Promise(() => undefined) };
    const id = await beforeTheLast();
    await goOnAfter(id, LAST);
    const message = 'The job took longer than 0.2 seconds';
    expect(await eventually(worker, id, waitForEnd)).toMatchObject({
      status: 'failed',
      error: { name: 'Interrupted', message },
    });
    expect(told).toEqual([`given up: ${message}`]);
  });

  it('are not called again if the last attempt threw an error or the database never comes back', async () => {
    attempts = { [LAST]: () => Promise.reject(new Error('a fault of its own')) };
    const failed = await beforeTheLast();
    expect(await eventually(worker, failed, waitForEnd)).toMatchObject({ status: 'failed', attempts: LAST });
    attempts = { [2 * LAST]: away };
    const lost = await beforeTheLast({ attempts: 2 * LAST - 1 });
    expect(await eventually(worker, lost, waitForEnd)).toMatchObject({
      status: 'failed',
      attempts: 2 * LAST,
    });
    expect(told).toEqual([]);
  });
});
