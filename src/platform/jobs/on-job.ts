import type { Transaction } from '../database/database.js';
import type { JobDefinition } from './job-definition.js';

/** How far a job is, for its readers. */
export interface JobProgress {
  completed: number;
  total: number;
  /** What it is doing, in a few words. */
  status: string;
}

/** One attempt at a job, as its handler sees it. */
export interface JobContext {
  id: string;
  /** 1 for the first. */
  attempt: number;
  /** How far an earlier attempt said that it was. */
  reached?: JobProgress;
  /** What earlier attempts have done, as they kept it. */
  kept?: object;
  /** Whether the job is given up if this attempt fails. */
  last: boolean;
  /** Why the job is given up before this: nothing is to be done but to tell of it, and this to be thrown. */
  givenUp?: Error;
  /** Aborted when the attempt is over before the handler is: out of time, taken over by another worker, or stopping. */
  signal: AbortSignal;
  /** Rejects when another worker has taken the job over. */
  progress(progress: JobProgress): Promise<void>;
  /**
   * Keeps what the job has done for the next attempt, in the transaction that does it: both are there in the end, or neither. Rejects
   * when another worker has taken the job over.
   */
  keep(kept: object, transaction: Transaction): Promise<void>;
}

/**
 * Does the work; what it returns is kept as the job's result. It may run again after it has run, wholly or in part, so
 * its effect must be that of one run. An `ApiError` below 500 ends the job as `errored`; after anything else it is
 * tried again, and ends as `failed` once its attempts are used up.
 */
export type JobHandler<Payload extends object> = (
  payload: Payload,
  job: JobContext,
) => Promise<object | void>;

const ON_JOB = Symbol('on job');

/** Makes a provider's method the handler of a kind of job. */
export function OnJob<Payload extends object>(definition: JobDefinition<Payload>) {
  return (_target: object, _name: string, { value }: { value?: JobHandler<Payload> }): void => {
    Reflect.defineMetadata(ON_JOB, definition.name, value!);
  };
}

/** The name of the job that a method handles, if it handles one. */
export function handledJob(method: object): string | undefined {
  return Reflect.getMetadata(ON_JOB, method) as string | undefined;
}
