/** What jobs that applications are told of are about. */
export const LOGGED_TYPES = [
  'application',
  'dashboard',
  'datatable',
  'event',
  'device',
  'notebook',
  'deviceRecipe',
] as const;
export type LoggedType = (typeof LOGGED_TYPES)[number];

/** What the log of an application shows of a job beside how it goes. It is kept as it stands, so nothing in it is a secret. */
export interface LoggedJob {
  applicationId: string;
  /** The operation that asked for it, such as `device.export`. */
  operation: string;
  resourceType: LoggedType;
  resourceId?: string;
  /** What it was asked for. */
  input?: object;
}

/** How a kind of job is run. */
export interface JobOptions<Payload extends object = object> {
  /** How often it is tried, a worker's death included. */
  attempts?: number;
  /** How long one attempt may take, in milliseconds. */
  timeoutMs?: number;
  /** Whether its payload is erased when it ends: what is in it is for nobody to read later. */
  forgets?: boolean;
  /**
   * Whether its handler tells somebody how it ended: then it is called again where the last attempt may not have come to that, since
   * its worker died or was stopped, its time was over, or the database was away (`JobContext.givenUp`).
   */
  tells?: boolean;
  /** What the log of an application shows of a job; absent for work that nobody asks for by itself. */
  log?(payload: Payload): LoggedJob;
}

type Settings<Payload extends object> = Required<Omit<JobOptions, 'log'>> & Pick<JobOptions<Payload>, 'log'>;

/** A kind of job: its name and what its payload is. Made by `defineJob`. */
export class JobDefinition<Payload extends object> {
  /** For the type checker alone; it has no value. */
  declare readonly payload: Payload;

  constructor(
    readonly name: string,
    readonly options: Settings<Payload>,
  ) {}
}

const DEFAULTS = { attempts: 5, timeoutMs: 15 * 60_000, forgets: false, tells: false };

/** Of jobs that remove what is gone: they go on where they were, so time is all that they need. */
export const PURGE: JobOptions = { attempts: 100, timeoutMs: 60 * 60_000 };

/**
 * Declares a kind of job, once, beside its handler, and is listed in `src/jobs.ts`. The payload holds ids and options,
 * never blobs. The definition is what `JobsService.enqueue` and `@OnJob` take; a start without exactly one handler for it
 * fails.
 */
export function defineJob<Payload extends object>(
  name: string,
  options: JobOptions<Payload> = {},
): JobDefinition<Payload> {
  return new JobDefinition(name, { ...DEFAULTS, ...options });
}
