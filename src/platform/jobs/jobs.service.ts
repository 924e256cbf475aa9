import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { createHash } from 'node:crypto';
import { nanoid } from 'nanoid';
import type { Transaction } from '../database/database.js';
import { Metrics } from '../probes/metrics.js';
import { newId } from '../repositories/resource.js';
import type { JobDefinition, LoggedJob } from './job-definition.js';
import { JOB_ID_CHARACTERS, jobIdPrefix } from './job-log-id.js';
import { JobRows, type JobRequester } from './job-rows.js';
import { QUEUE, queueEntry } from './queue.js';

/** Passes work to the workers. */
@Injectable()
export class JobsService {
  private readonly logger = new Logger(JobsService.name);

  constructor(
    private readonly rows: JobRows,
    @InjectQueue(QUEUE) private readonly queue: Queue,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Creates the job as part of the transaction and returns its ID, which has 21 characters. Does not wait for Redis: if
   * Redis is unavailable, the job starts when a worker next polls the table. With `dueAt`, the job does not start
   * earlier. With `onceFor`, the purpose of the job, no second job is created for the same purpose.
   */
  async enqueue<Payload extends object>(
    transaction: Transaction,
    { name, options }: JobDefinition<Payload>,
    payload: NoInfer<Payload>,
    by?: JobRequester,
    { dueAt, onceFor }: { dueAt?: Date; onceFor?: string } = {},
  ): Promise<string> {
    const id = onceFor === undefined ? newJobId() : idFor(name, onceFor);
    const logged = options.log?.(payload);
    await this.rows.add(transaction.manager, { id, name, payload, dueAt, logged }, by);
    if (!dueAt) transaction.afterCommit(async () => void this.wakeWorker(id, name));
    return id;
  }

  /**
   * Records failed work that was not run as a job as an ended job, so that it appears in the job log of its application
   * and in the metrics.
   */
  async recordFailure(
    transaction: Transaction,
    name: string,
    logged: LoggedJob,
    message: string,
    by?: JobRequester,
  ): Promise<void> {
    const id = newJobId();
    await this.rows.add(transaction.manager, { id, name, payload: {}, logged }, by);
    await this.rows.endWithError(transaction, id, { name: 'Error', message });
    transaction.afterCommit(async () => this.metrics.countJob(name, 'errored'));
  }

  private async wakeWorker(id: string, kind: string): Promise<void> {
    try {
      await this.queue.add({ kind }, queueEntry(id));
    } catch (error) {
      this.logger.warn(`Job ${id} waits for the reconciler: ${(error as Error).message}`);
    }
  }
}

/** Generates a job ID from which the log ID can be derived. Like all IDs, it sorts by time. */
function newJobId(): string {
  const prefix = jobIdPrefix(newId());
  return prefix + nanoid(JOB_ID_CHARACTERS - prefix.length);
}

/** Returns a deterministic job ID for a purpose. */
function idFor(name: string, purpose: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([name, purpose]))
    .digest('base64url');
  return digest.slice(0, JOB_ID_CHARACTERS);
}
