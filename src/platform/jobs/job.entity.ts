import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export const JOB_STATUSES = ['queued', 'inProgress', 'completed', 'errored', 'failed'] as const;
/** `errored` is done with problems, `failed` is given up. */
export type JobStatus = (typeof JOB_STATUSES)[number];

/** A piece of long work. This table is the truth about it; the queue only wakes a worker. */
@Entity('jobs')
@Index('jobs_unfinished', ['status', 'lastUpdated'], { where: `status IN ('queued', 'inProgress')` })
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

  @Column({ type: 'jsonb', nullable: true })
  error: { name: string; message: string } | null;

  /** How often a worker has taken it up; also fences off a worker that lost it. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

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
