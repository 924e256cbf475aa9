import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { createHash } from 'node:crypto';
import { nanoid } from 'nanoid';
import type { Transaction } from '../database/database.js';
import { Metrics } from '../probes/metrics.js';
import { newId } from '../repositories/resource.js';
import type { JobDefinition, LoggedJob } from './job-definition.js';
import { jobIdPrefix } from './job-log-id.js';
import { JobRows, type JobRequester } from './job-rows.js';
import { QUEUE, queueEntry } from './queue.js';

const ID_LENGTH = 21;

/** Hands work to the workers. */
@Injectable()
export class JobsService {
  private readonly logger = new Logger(JobsService.name);

  constructor(
    private readonly rows: JobRows,
    @InjectQueue(QUEUE) private readonly queue: Queue,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Makes the job part of the transaction: both are there in the end, or neither. Returns the job's id, 21 characters.
   * Nobody waits for Redis: without it the job starts when a worker next looks through the table. With `dueAt` it does
   * not start before then; with `onceFor`, what the job is made for, no second one is made for the same.
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
   * Tells of work that was no job and is given up as of a job: it stands in the log of its application and counts among those
   * that ended.
   */
  async tellFailed(
    transaction: Transaction,
    name: string,
    logged: LoggedJob,
    message: string,
    by?: JobRequester,
  ): Promise<void> {
    const id = newJobId();
    await this.rows.add(transaction.manager, { id, name, payload: {}, logged }, by);
    await this.rows.error(transaction, id, { name: 'Error', message });
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

/** An id of which the log's follows, which sorts by time as all ids do. */
function newJobId(): string {
  const prefix = jobIdPrefix(newId());
  return prefix + nanoid(ID_LENGTH - prefix.length);
}

/** An id like the others that is always the same for the same. */
function idFor(name: string, purpose: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([name, purpose]))
    .digest('base64url');
  return digest.slice(0, ID_LENGTH);
}
