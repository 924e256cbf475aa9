import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export const JOB_STATUSES = ['queued', 'inProgress', 'completed', 'errored', 'failed'] as const;
/** `errored`: the request cannot be fulfilled. `failed`: the last attempt failed. */
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Condition of jobs that appear in the job log of an application. */
const LOGGED = { where: 'application_id IS NOT NULL' };

/** A long-running job. This table is the source of truth; the queue only wakes a worker. */
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
  /** Nanoid of 21 characters; also the ID in the queue. */
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** IDs and options only. */
  @Column({ type: 'jsonb' })
  payload: object;

  @Column({ type: 'text', default: 'queued' })
  status: JobStatus;

  @Column({ type: 'jsonb', nullable: true })
  progress: object | null;

  /** State from which the next attempt resumes, saved in the same transaction as the work itself. */
  @Column({ type: 'jsonb', nullable: true })
  kept: object | null;

  @Column({ type: 'jsonb', nullable: true })
  result: object | null;

  /** Error that ended the job, or that caused the pending retry. */
  @Column({ type: 'jsonb', nullable: true })
  error: { name: string; message: string } | null;

  /** Number of times that a worker claimed the job; also the fencing token against workers that lost it. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** Number of attempts that do not count: those until the job last saved its state or an operator retried it. */
  @Column({ type: 'integer', default: 0 })
  attemptsBefore: number;

  /**
   * Time from which a worker may claim the job. Heartbeats of the current worker move it ahead, so it passes if the
   * worker dies.
   */
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

  /** Application whose job log contains the job, if any. The columns below are only used for that log. */
  @Column({ type: 'text', nullable: true })
  applicationId: string | null;

  /** ID in the job log, derived from the job ID. */
  @Column({ type: 'text', nullable: true })
  logId: string | null;

  /** Operation that requested the job. */
  @Column({ type: 'text', nullable: true })
  operation: string | null;

  @Column({ type: 'text', nullable: true })
  resourceType: string | null;

  @Column({ type: 'text', nullable: true })
  resourceId: string | null;

  /** Parameters of the request, without secrets: they are kept when the payload is erased. */
  @Column({ type: 'jsonb', nullable: true })
  input: object | null;
}
