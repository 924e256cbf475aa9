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
import { JOB_LEASE, JobRows, type ClaimedJob, type JobOutcome, type JobError } from './job-rows.js';
import type { JobContext } from './on-job.js';
import { QUEUE, QueueConnections, unnamed } from './queue.js';

const CONCURRENCY = 10;
const MIN_BACKOFF_MS = 5_000;
const MAX_BACKOFF_MS = 60 * 60_000;
/** Time during which writing the outcome of a finished job is retried while the database is unavailable. */
const OUTCOME_TIMEOUT_MS = 5 * 60_000;
/** Default drain timeout in milliseconds. */
const DRAIN_TIMEOUT_MS = 25_000;

/** Reason for ending an attempt before its handler has finished. */
class Interrupted extends Error {
  override name = 'Interrupted';
}

/** Reason for calling the handler although no attempts are left. */
class PermanentFailure extends Error {}

/** Runs jobs. The queue only announces them; the row decides whether a job runs and how it ends. */
@Injectable()
@RunsIn('worker')
export class JobsProcessor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(JobsProcessor.name);
  private readonly running = new Map<AbortController, Promise<void>>();
  private drainDeadline?: number;

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
    this.drainDeadline ??= Date.now() + patienceMs;
    void this.queue.pause(true, true).catch(() => undefined);
    const drained = new AbortController();
    const left = Math.max(0, this.drainDeadline - Date.now());
    await Promise.race([
      this.finished().finally(() => drained.abort()),
      sleep(left, undefined, { signal: drained.signal }).catch(() => undefined),
    ]);
  }

  /** Another worker repeats interrupted jobs. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.drain(DRAIN_TIMEOUT_MS);
    for (const attempt of this.running.keys()) attempt.abort(new Interrupted('The worker was stopped'));
    await this.connections.end(this.queue);
  }

  private async finished(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.values());
  }

  private async process(entry: QueueEntry): Promise<void> {
    const attempt = new AbortController();
    const work = this.runAttempt(String(entry.id), attempt).catch((error: Error) => {
      this.logger.warn(`Job ${entry.id} waits for the reconciler: ${error.message}`);
    });
    this.running.set(attempt, work);
    await work;
    this.running.delete(attempt);
  }

  private async runAttempt(id: string, attempt: AbortController): Promise<void> {
    const job = await this.rows.claim(id);
    if (!job) return;
    this.publishChange(job);
    await JOB_LEASE.hold(
      () => this.rows.extend(job),
      () => this.run(job, attempt),
      () => attempt.abort(claimLostError(job)),
    );
  }

  private async run(job: ClaimedJob, attempt: AbortController): Promise<void> {
    const handled = this.handlers.find(job.name);
    if (!handled)
      return this.end(job, {
        status: 'failed',
        error: { name: 'Error', message: `There is no job ${job.name}` },
      });
    const { attempts, timeoutMs, notifies } = handled.definition.options;
    const givenUp = job.tryCount > attempts ? new PermanentFailure(job.error?.message) : undefined;
    if (givenUp && !notifies) return this.failPermanently(job);
    const timer = setTimeout(
      () => attempt.abort(new Interrupted(`The job took longer than ${timeoutMs / 1000} seconds`)),
      timeoutMs,
    );
    try {
      const result = await Promise.race([
        handled.handle(job.payload, this.contextOf(job, attempt.signal, attempts, givenUp)),
        rejectOnAbort(attempt.signal),
      ]);
      await this.end(job, { status: 'completed', result: result ?? undefined });
    } catch (error) {
      await this.endWithError(job, error, handled.definition.options);
    } finally {
      clearTimeout(timer);
    }
  }

  private contextOf(
    job: ClaimedJob,
    signal: AbortSignal,
    attempts: number,
    permanentFailure?: Error,
  ): JobContext {
    return {
      id: job.id,
      attempt: job.attempt,
      ...(job.state ? { state: job.state } : {}),
      get isLastAttempt() {
        return job.tryCount >= attempts;
      },
      ...(permanentFailure ? { permanentFailure } : {}),
      signal,
      progress: async (progress) => {
        if (!(await this.rows.progress(job, progress))) throw claimLostError(job);
        this.publishChange(job);
      },
      saveState: async (kept, transaction) => {
        if (!(await this.rows.saveState(job, kept, transaction))) throw claimLostError(job);
        transaction.afterCommit(async () => void (job.tryCount = 0));
      },
    };
  }

  private async endWithError(
    job: ClaimedJob,
    error: unknown,
    { attempts, notifies }: JobDefinition<object>['options'],
  ): Promise<void> {
    if (error instanceof PermanentFailure) return this.failPermanently(job);
    const shown = describe(error);
    const about = `Job ${job.id} (${job.name}), attempt ${job.attempt} (${job.tryCount} of ${attempts} without progress)`;
    // Rate-limited work is retried.
    if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
      this.logger.log(`${about}: ${error.message}`);
      return this.end(job, { status: 'errored', error: shown });
    }
    this.logger.error(`${about}: ${(error as Error)?.message}`, (error as Error)?.stack);
    // An interrupted attempt may not have sent its notification, so the attempts are doubled to send it on failure.
    const max = notifies && isInterrupted(error) ? 2 * attempts : attempts;
    if (job.tryCount >= max) return this.end(job, { status: 'failed', error: shown });
    const delay = Math.min(MIN_BACKOFF_MS * 2 ** Math.max(0, job.tryCount - 1), MAX_BACKOFF_MS);
    await this.persist(job, () => this.rows.retry(job, shown, delay));
  }

  /** Ends a job with the error of its last attempt. */
  private failPermanently(job: ClaimedJob): Promise<void> {
    return this.end(job, { status: 'failed', error: job.error ?? undefined });
  }

  private async end(job: ClaimedJob, end: JobOutcome): Promise<void> {
    const forgets = this.handlers.find(job.name)?.definition.options.erasesPayload ?? false;
    await this.persist(job, () => this.rows.finish(job, end, forgets));
    this.metrics.countJob(job.name, end.status);
    if (end.status === 'failed')
      this.logger.error(
        `Job ${job.id} (${job.name}) failed permanently: ${end.error?.message}. "npm run admin -- jobs" lists and retries such jobs.`,
      );
  }

  /** Announces to readers of the job log that the row of a job has changed. */
  private publishChange({ id, name }: ClaimedJob): void {
    if (this.handlers.find(name)?.definition.options.log)
      this.streams.publish(jobChannel(jobLogId(id)), { name: 'job', data: null });
  }

  /** Retries the write, so that finished work is not repeated because of a short database outage. */
  private async persist(job: ClaimedJob, write: () => Promise<boolean>): Promise<void> {
    for (const until = Date.now() + OUTCOME_TIMEOUT_MS; ; await sleep(500)) {
      try {
        if (await write()) this.publishChange(job);
        else this.logger.warn(claimLostError(job).message);
        return;
      } catch (error) {
        if (Date.now() > until) throw error;
      }
    }
  }
}

function claimLostError(job: ClaimedJob): Interrupted {
  return new Interrupted(`Another worker has taken over job ${job.id} (${job.name})`);
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/**
 * Whether the attempt timed out, the worker was stopped or the database was unavailable, so that a notification may be
 * missing.
 */
const isInterrupted = (error: unknown): boolean =>
  error instanceof Interrupted || databaseError(error)?.status === 503;

/** Details of unexpected errors appear only in the log. */
function describe(error: unknown): JobError {
  if (error instanceof ApiError) return { name: error.type, message: error.message };
  if (error instanceof Interrupted) return { name: error.name, message: error.message };
  return { name: 'Error', message: 'The job failed unexpectedly' };
}
