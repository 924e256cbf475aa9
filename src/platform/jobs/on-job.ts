import type { Transaction } from '../database/database.js';
import type { JobDefinition } from './job-definition.js';

/** Progress of a job, for its readers. */
export interface JobProgress {
  completed: number;
  total: number;
  /** Short description of the current step. */
  status: string;
}

/** An attempt at a job, as seen by its handler. */
export interface JobContext {
  id: string;
  /** Number of the attempt, starting at 1. */
  attempt: number;
  /** State saved by previous attempts. */
  state?: object;
  /** Whether the job fails permanently if this attempt fails. False from the first `saveState`. */
  readonly isLastAttempt: boolean;
  /**
   * Error of the job that already failed permanently. The handler only sends its notification and throws this error.
   */
  permanentFailure?: Error;
  /** Aborted if the attempt ends before the handler: on timeout, takeover by another worker, or shutdown. */
  signal: AbortSignal;
  /** Reports progress; omitted members keep their value. Rejects if another worker has claimed the job. */
  progress(progress: Partial<JobProgress>): Promise<void>;
  /**
   * Saves state for the next attempt, atomically with the work of the transaction. The attempt then does not count, so
   * each call must save more than the one before. Rejects if another worker has claimed the job.
   */
  saveState(kept: object, transaction: Transaction): Promise<void>;
}

/**
 * Does the work of a job and returns its result, which is stored. It may be repeated after it has run completely or
 * partially, so it must be idempotent. An `ApiError` with a status below 500 ends the job as `errored`. After any other
 * error the job is retried, and ends as `failed` after the last attempt.
 */
export type JobHandler<Payload extends object> = (
  payload: Payload,
  job: JobContext,
) => Promise<object | void>;

const ON_JOB = Symbol('on job');

/** Makes a method of a provider the handler of a job definition. */
export function OnJob<Payload extends object>(definition: JobDefinition<Payload>) {
  return (_target: object, _name: string, { value }: { value?: JobHandler<Payload> }): void => {
    Reflect.defineMetadata(ON_JOB, definition.name, value!);
  };
}

/** Returns the name of the job that a method handles, if any. */
export function handledJob(method: object): string | undefined {
  return Reflect.getMetadata(ON_JOB, method) as string | undefined;
}
