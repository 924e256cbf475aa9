import { InjectQueue } from '@nestjs/bull';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Job as QueueEntry, Queue } from 'bull';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseError } from '../responses/database-errors.js';
import { ApiError } from '../../lib/errors/errors.js';
import { Metrics } from '../probes/metrics.js';
import { RunsIn } from '../processes/roles.js';
import { Streams } from '../streams/streams.js';
import type { JobDefinition } from './job-definition.js';
import { JobHandlers } from './job-handlers.js';
import { jobChannel, jobLogId } from './job-log-id.js';
import { JOB_LEASE, JobRows, type ClaimedJob, type JobEnd, type JobError } from './job-rows.js';
import type { JobContext, JobProgress } from './on-job.js';
import { QUEUE, QueueConnections, unnamed } from './queue.js';

const CONCURRENCY = 10;
const FIRST_BACKOFF_MS = 5_000;
const LONGEST_BACKOFF_MS = 60 * 60_000;
/** Time during which writing the outcome of a finished job is retried while the database is unavailable. */
const OUTCOME_PATIENCE_MS = 5 * 60_000;
/** Default drain timeout in milliseconds. */
const DRAIN_MS = 25_000;

/** Reason for ending an attempt before its handler has finished. */
class Interrupted extends Error {
  override name = 'Interrupted';
}

/** Reason for calling the handler although no attempts are left. */
class GivenUp extends Error {}

/** Runs jobs. The queue only announces them; the row decides whether a job runs and how it ends. */
@Injectable()
@RunsIn('worker')
export class JobsProcessor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(JobsProcessor.name);
  private readonly running = new Map<AbortController, Promise<void>>();
  private drainedBy?: number;

  constructor(
    private readonly rows: JobRows,
    private readonly handlers: JobHandlers,
    private readonly metrics: Metrics,
    private readonly connections: QueueConnections,
    private readonly streams: Streams,
    @InjectQueue(QUEUE) private readonly queue: Queue,
  ) {}

  /** Bull's promise stays pending while it delivers jobs. It rejects if its connections end before they are ready. */
  onApplicationBootstrap(): void {
    unnamed(this.queue)
      .process(CONCURRENCY, (entry) => this.process(entry))
      .catch(() => undefined);
  }

  /** Stops accepting jobs and waits for running ones. If called several times, the first timeout applies. */
  async drain(patienceMs: number): Promise<void> {
    this.drainedBy ??= Date.now() + patienceMs;
    void this.queue.pause(true, true).catch(() => undefined);
    const drained = new AbortController();
    const left = Math.max(0, this.drainedBy - Date.now());
    await Promise.race([
      this.finished().finally(() => drained.abort()),
      sleep(left, undefined, { signal: drained.signal }).catch(() => undefined),
    ]);
  }

  /** Another worker repeats interrupted jobs. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.drain(DRAIN_MS);
    for (const attempt of this.running.keys()) attempt.abort(new Interrupted('The worker was stopped'));
    await this.connections.end(this.queue);
  }

  private async finished(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.values());
  }

  private async process(entry: QueueEntry): Promise<void> {
    const attempt = new AbortController();
    const work = this.takeUp(String(entry.id), attempt).catch((error: Error) => {
      this.logger.warn(`Job ${entry.id} waits for the reconciler: ${error.message}`);
    });
    this.running.set(attempt, work);
    await work;
    this.running.delete(attempt);
  }

  private async takeUp(id: string, attempt: AbortController): Promise<void> {
    const job = await this.rows.claim(id);
    if (!job) return;
    this.tell(job);
    await JOB_LEASE.hold(
      () => this.rows.extend(job),
      () => this.run(job, attempt),
      () => attempt.abort(lost(job)),
    );
  }

  private async run(job: ClaimedJob, attempt: AbortController): Promise<void> {
    const handled = this.handlers.find(job.name);
    if (!handled)
      return this.end(job, {
        status: 'failed',
        error: { name: 'Error', message: `There is no job ${job.name}` },
      });
    const { attempts, timeoutMs, tells } = handled.definition.options;
    const givenUp = job.tries > attempts ? new GivenUp(job.error?.message) : undefined;
    if (givenUp && !tells) return this.giveUp(job);
    const timer = setTimeout(
      () => attempt.abort(new Interrupted(`The job took longer than ${timeoutMs / 1000} seconds`)),
      timeoutMs,
    );
    try {
      const result = await Promise.race([
        handled.handle(job.payload, this.contextOf(job, attempt.signal, job.tries >= attempts, givenUp)),
        aborted(attempt.signal),
      ]);
      await this.end(job, { status: 'completed', result: result ?? undefined });
    } catch (error) {
      await this.endWithError(job, error, handled.definition.options);
    } finally {
      clearTimeout(timer);
    }
  }

  private contextOf(job: ClaimedJob, signal: AbortSignal, last: boolean, givenUp?: Error): JobContext {
    return {
      id: job.id,
      attempt: job.attempt,
      ...(job.progress ? { reached: job.progress as JobProgress } : {}),
      ...(job.kept ? { kept: job.kept } : {}),
      last,
      ...(givenUp ? { givenUp } : {}),
      signal,
      progress: async (progress) => {
        if (!(await this.rows.progress(job, progress))) throw lost(job);
        this.tell(job);
      },
      keep: async (kept, transaction) => {
        if (!(await this.rows.keep(job, kept, transaction))) throw lost(job);
      },
    };
  }

  private async endWithError(
    job: ClaimedJob,
    error: unknown,
    { attempts, tells }: JobDefinition<object>['options'],
  ): Promise<void> {
    if (error instanceof GivenUp) return this.giveUp(job);
    const shown = describe(error);
    const about = `Job ${job.id} (${job.name}), attempt ${job.tries} of ${attempts}`;
    // Rate-limited work is retried.
    if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
      this.logger.log(`${about}: ${error.message}`);
      return this.end(job, { status: 'errored', error: shown });
    }
    this.logger.error(`${about}: ${(error as Error)?.message}`, (error as Error)?.stack);
    // An interrupted attempt may not have sent its notification, so the attempts are doubled to send it on failure.
    const most = tells && isCutOff(error) ? 2 * attempts : attempts;
    if (job.tries >= most) return this.end(job, { status: 'failed', error: shown });
    const delay = Math.min(FIRST_BACKOFF_MS * 2 ** (job.tries - 1), LONGEST_BACKOFF_MS);
    await this.persist(job, () => this.rows.retry(job, shown, delay));
  }

  /** Ends a job with the error of its last attempt. */
  private giveUp(job: ClaimedJob): Promise<void> {
    return this.end(job, { status: 'failed', error: job.error ?? undefined });
  }

  private async end(job: ClaimedJob, end: JobEnd): Promise<void> {
    const forgets = this.handlers.find(job.name)?.definition.options.forgets ?? false;
    await this.persist(job, () => this.rows.finish(job, end, forgets));
    this.metrics.countJob(job.name, end.status);
    if (end.status === 'failed')
      this.logger.error(
        `Job ${job.id} (${job.name}) failed permanently: ${end.error?.message}. "npm run admin -- jobs" lists and retries such jobs.`,
      );
  }

  /** Announces to readers of the job log that the row of a job has changed. */
  private tell({ id, name }: ClaimedJob): void {
    if (this.handlers.find(name)?.definition.options.log)
      this.streams.publish(jobChannel(jobLogId(id)), { name: 'job', data: null });
  }

  /** Retries the write, so that finished work is not repeated because of a short database outage. */
  private async persist(job: ClaimedJob, write: () => Promise<boolean>): Promise<void> {
    for (const until = Date.now() + OUTCOME_PATIENCE_MS; ; await sleep(500)) {
      try {
        if (await write()) this.tell(job);
        else this.logger.warn(lost(job).message);
        return;
      } catch (error) {
        if (Date.now() > until) throw error;
      }
    }
  }
}

function lost(job: ClaimedJob): Interrupted {
  return new Interrupted(`Another worker has taken over job ${job.id} (${job.name})`);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/**
 * Whether the attempt timed out, the worker was stopped or the database was unavailable, so that a notification may be
 * missing.
 */
const isCutOff = (error: unknown): boolean =>
  error instanceof Interrupted || databaseError(error)?.status === 503;

/** Details of unexpected errors appear only in the log. */
function describe(error: unknown): JobError {
  if (error instanceof ApiError) return { name: error.type, message: error.message };
  if (error instanceof Interrupted) return { name: error.name, message: error.message };
  return { name: 'Error', message: 'The job failed unexpectedly' };
}
