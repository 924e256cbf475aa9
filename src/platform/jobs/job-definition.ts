/** Types of resources that logged jobs refer to. */
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

/**
 * Entry of a job in the job log of an application, in addition to its status. It is stored unchanged, so it must not
 * contain secrets.
 */
export interface LoggedJob {
  applicationId: string;
  /** Operation that requested the job, such as `device.export`. */
  operation: string;
  resourceType: LoggedType;
  resourceId?: string;
  /** Parameters of the request. */
  input?: object;
}

/** Options of a kind of job. */
export interface JobOptions<Payload extends object = object> {
  /**
   * Maximum number of attempts without progress (`JobContext.saveState`), including those that end with the death of
   * the worker.
   */
  attempts?: number;
  /** Timeout of an attempt in milliseconds. */
  timeoutMs?: number;
  /** Whether the payload is erased when the job ends, because nobody may read it afterwards. */
  erasesPayload?: boolean;
  /**
   * Whether the handler sends a notification of the outcome. It is then called again (`JobContext.givenUp`) if the last
   * attempt may not have sent it. Reasons: the worker died or was stopped, the attempt timed out, or the database was
   * unavailable.
   */
  notifies?: boolean;
  /** Returns the job log entry of a job. Absent for internal jobs, which no caller requests. */
  log?(payload: Payload): LoggedJob;
}

type Settings<Payload extends object> = Required<Omit<JobOptions, 'log'>> & Pick<JobOptions<Payload>, 'log'>;

/** A kind of job with the type of its payload. Created by `defineJob`. */
export class JobDefinition<Payload extends object> {
  /** Exists only for type checking; has no value at run time. */
  declare readonly payload: Payload;

  constructor(
    readonly name: string,
    readonly options: Settings<Payload>,
  ) {}
}

const DEFAULTS = { attempts: 5, timeoutMs: 15 * 60_000, erasesPayload: false, notifies: false };

/** Options of jobs that remove deleted data: each attempt resumes the previous one, so they only need time. */
export const PURGE: JobOptions = { attempts: 100, timeoutMs: 60 * 60_000 };

/**
 * Declares a kind of job. Each kind is declared once, next to its handler, and listed by its family. The payload
 * contains IDs and options, never blobs. `JobsService.enqueue` and `@OnJob` take the definition. The platform does not
 * start unless each definition has exactly one handler.
 */
export function defineJob<Payload extends object>(
  name: string,
  options: JobOptions<Payload> = {},
): JobDefinition<Payload> {
  return new JobDefinition(name, { ...DEFAULTS, ...options });
}
