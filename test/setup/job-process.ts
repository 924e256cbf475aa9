import { Global, Module, type INestApplicationContext, type Provider } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Database } from '../../src/platform/database/database.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import type { JobDefinition } from '../../src/platform/jobs/job-definition.js';
import { Job } from '../../src/platform/jobs/job.entity.js';
import { JobsModule } from '../../src/platform/jobs/jobs.module.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { REDIS_URL } from '../../src/platform/jobs/redis.js';
import { Metrics } from '../../src/platform/probes/metrics.js';
import { forRoles } from '../../src/platform/processes/roles.js';
import { newId } from '../../src/platform/repositories/resource.js';
import { DisconnectedProcessesRepository } from '../../src/platform/access/disconnected-processes.repository.js';
import { Revocations } from '../../src/platform/access/revocations.js';
import { Streams } from '../../src/platform/streams/streams.js';
import { freshDatabase, type FreshDatabase } from './fresh-database.js';

const silent = (): void => undefined;

interface JobProcessOptions {
  databaseUrl: string;
  redisUrl: string;
  runsWorker: boolean;
  handlers: Provider[];
  jobs: readonly JobDefinition<object>[];
}

/** Starts a process of the platform that only runs jobs. */
async function startJobProcess(options: JobProcessOptions): Promise<INestApplicationContext> {
  const shared = [{ provide: REDIS_URL, useValue: options.redisUrl }, Database, Metrics, Streams];
  const provided = [...shared, DisconnectedProcessesRepository, Revocations];
  @Global()
  @Module({ providers: provided, exports: [REDIS_URL, Database, Metrics, Streams] })
  class Foundation {}
  const testing = await Test.createTestingModule({
    imports: [
      Foundation,
      TypeOrmModule.forRoot(dataSourceOptions({ url: options.databaseUrl, entities: [Job] })),
      forRoles(JobsModule.on(options.jobs), new Set([options.runsWorker ? 'worker' : 'api'])),
    ],
    providers: options.handlers,
  })
    .setLogger({ log: silent, warn: silent, error: silent })
    .compile();
  try {
    return await testing.init();
  } catch (error) {
    await testing.close();
    throw error;
  }
}

/**
 * Creates a database before the first test and drops it after the last. Returns a function that starts a process on it,
 * with the given handlers and jobs unless its options say otherwise.
 */
export function jobProcesses(given: Pick<JobProcessOptions, 'handlers' | 'jobs'>) {
  const redisUrl = process.env.TEST_REDIS_URL!;
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await freshDatabase({ migrated: true });
  });
  afterAll(() => database.drop());
  return (options: Partial<JobProcessOptions> & { runsWorker: boolean }): Promise<INestApplicationContext> =>
    startJobProcess({ databaseUrl: database.url, redisUrl, ...given, ...options });
}

export const enqueue = <Payload extends object>(
  app: INestApplicationContext,
  definition: JobDefinition<Payload>,
  payload: Payload,
): Promise<string> =>
  app
    .get(Database)
    .transaction((transaction) => app.get(JobsService).enqueue(transaction, definition, payload as never));

/** Inserts a job into the table but not into the queue. */
export async function insertJob(app: INestApplicationContext, given: Partial<Job>): Promise<{ id: string }> {
  const now = new Date();
  const id = newId().slice(-21);
  const row = { id, payload: { n: 1 }, dueAt: now, creationDate: now, lastUpdated: now, ...given };
  await app.get(DataSource).manager.insert(Job, row);
  return { id };
}

export const readJob = (app: INestApplicationContext, id: string): Promise<Job> =>
  app.get(DataSource).manager.findOneByOrFail(Job, { id });

/** Makes a job due, as if its delay had passed. */
export const makeDue = (app: INestApplicationContext, id: string): Promise<unknown> =>
  app.get(DataSource).query(`UPDATE jobs SET due_at = now() - interval '1 ms' WHERE id = $1`, [id]);

/** Returns the job once the condition holds. */
export async function eventually(
  app: INestApplicationContext,
  id: string,
  so: (job: Job) => boolean,
): Promise<Job> {
  for (;;) {
    const job = await readJob(app, id);
    if (so(job)) return job;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const waitForEnd = (job: Job): boolean => job.completedAt !== null;
