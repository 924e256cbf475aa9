import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export const JOB_STATUSES = ['queued', 'inProgress', 'completed', 'errored', 'failed'] as const;
/** `errored` cannot be done as it was asked for, `failed` is given up after its last attempt. */
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Those that the log of an application has. */
const LOGGED = { where: 'application_id IS NOT NULL' };

/** A piece of long work. This table is the truth about it; the queue only wakes a worker. */
@Entity('jobs')
@Index('jobs_due', ['dueAt'], { where: `status IN ('queued', 'inProgress')` })
@Index('jobs_failed', ['completedAt'], { where: `status = 'failed'` })
@Index('jobs_completed', ['completedAt'], { where: 'completed_at IS NOT NULL' })
@Index('jobs_log', ['logId'], { unique: true })
@Index('jobs_by_creation', ['applicationId', 'creationDate', 'logId'], LOGGED)
@Index('jobs_by_start', ['applicationId', 'startedAt', 'logId'], LOGGED)
@Index('jobs_by_end', ['applicationId', 'completedAt', 'logId'], LOGGED)
@Index('jobs_by_operation', ['applicationId', 'operation', 'logId'], LOGGED)
@Index('jobs_by_status', ['applicationId', 'status', 'logId'], LOGGED)
@Index('jobs_by_type', ['applicationId', 'resourceType', 'logId'], LOGGED)
export class Job {
  /** 21 characters, nanoid; also its id in the queue. */
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** Ids and options only. */
  @Column({ type: 'jsonb' })
  payload: object;

  @Column({ type: 'text', default: 'queued' })
  status: JobStatus;

  @Column({ type: 'jsonb', nullable: true })
  progress: object | null;

  /** What its attempts have done so far, where it goes on from there; written with the work itself. */
  @Column({ type: 'jsonb', nullable: true })
  kept: object | null;

  @Column({ type: 'jsonb', nullable: true })
  result: object | null;

  /** What ended it, or why the latest attempt is to be repeated. */
  @Column({ type: 'jsonb', nullable: true })
  error: { name: string; message: string } | null;

  /** How often a worker has taken it up; also fences off a worker that lost it. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** How many of them were before an operator had it tried again. */
  @Column({ type: 'integer', default: 0 })
  attemptsBefore: number;

  /** When a worker may take it up. The worker that has it moves this ahead all the while, so it passes if that one dies. */
  @Column({ type: 'timestamptz' })
  dueAt: Date;

  @Column({ type: 'text', nullable: true })
  requestedById: string | null;

  @Column({ type: 'text', nullable: true })
  requestedByType: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  creationDate: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  lastUpdated: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  completedAt: Date | null;

  /** The application whose log has it, where one has; the columns below are for that log alone. */
  @Column({ type: 'text', nullable: true })
  applicationId: string | null;

  /** Its id there, which follows from its own. */
  @Column({ type: 'text', nullable: true })
  logId: string | null;

  /** The operation that asked for it. */
  @Column({ type: 'text', nullable: true })
  operation: string | null;

  @Column({ type: 'text', nullable: true })
  resourceType: string | null;

  @Column({ type: 'text', nullable: true })
  resourceId: string | null;

  /** What it was asked for, without secrets: it stays when the payload is erased. */
  @Column({ type: 'jsonb', nullable: true })
  input: object | null;
}
