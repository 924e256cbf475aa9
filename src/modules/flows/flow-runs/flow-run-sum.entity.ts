import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/**
 * The runs of a version of a workflow in a minute, and again in an hour, added up. PostgreSQL notes what is to be added as
 * runs come and change, and workers add it (`FlowRunSumsRepository`).
 */
@Entity('flow_run_sums')
@Index('flow_run_sums_by_version', ['flowId', 'flowVersionId', 'minutes', 'until'])
export class FlowRunSum {
  @PrimaryColumn({ type: 'text' })
  flowId: string;

  /** How long it is: 1 or 60. */
  @PrimaryColumn({ type: 'smallint' })
  minutes: number;

  /** Its end. What happened at that moment is in it, and what happened at its beginning is not. */
  @Index('flow_run_sums_by_age')
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  until: Date;

  /** The version; empty for the one that is being developed. */
  @PrimaryColumn({ type: 'text' })
  flowVersionId: string;

  @Index('flow_run_sums_by_application')
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  applicationId: string;

  @Column({ type: 'bigint' })
  runs: string;

  /** Runs of which a path failed. */
  @Column({ type: 'bigint' })
  failedRuns: string;

  @Column({ type: 'bigint' })
  pathsCompleted: string;

  @Column({ type: 'bigint' })
  pathsFailed: string;

  /** Milliseconds. */
  @Column({ type: 'bigint' })
  wallTime: string;
}

export const FLOW_RUN_SUMS = holding(FlowRunSum, { table: 'flow_run_sums', title: 'Sum of runs' });
