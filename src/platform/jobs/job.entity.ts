import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export const JOB_STATUSES = ['queued', 'inProgress', 'completed', 'errored', 'failed'] as const;
/** `errored` cannot be done as it was asked for, `failed` is given up after its last attempt. */
export type JobStatus = (typeof JOB_STATUSES)[number];

/** A piece of long work. This table is the truth about it; the queue only wakes a worker. */
@Entity('jobs')
@Index('jobs_due', ['dueAt'], { where: `status IN ('queued', 'inProgress')` })
@Index('jobs_failed', ['completedAt'], { where: `status = 'failed'` })
@Index('jobs_completed', ['completedAt'], { where: 'completed_at IS NOT NULL' })
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
}
