import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/**
 * Sums of the runs of a workflow version, per minute and per hour. PostgreSQL triggers record deltas when runs are
 * inserted and updated, and workers add the deltas to the sums (`FlowRunSumsRepository`).
 */
@Entity('flow_run_sums')
@Index('flow_run_sums_by_version', ['flowId', 'flowVersionId', 'minutes', 'until'])
export class FlowRunSum {
  @PrimaryColumn({ type: 'text' })
  flowId: string;

  /** Length of the interval in minutes: 1 or 60. */
  @PrimaryColumn({ type: 'smallint' })
  minutes: number;

  /** End of the interval (inclusive). The start is exclusive. */
  @Index('flow_run_sums_by_age')
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  until: Date;

  /** ID of the version; empty for the development version. */
  @PrimaryColumn({ type: 'text' })
  flowVersionId: string;

  @Index('flow_run_sums_by_application')
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  applicationId: string;

  @Column({ type: 'bigint' })
  runs: string;

  /** Number of runs with a failed path. */
  @Column({ type: 'bigint' })
  failedRuns: string;

  @Column({ type: 'bigint' })
  pathsCompleted: string;

  @Column({ type: 'bigint' })
  pathsFailed: string;

  /** Milliseconds. */
  @Column({ type: 'bigint' })
  wallTime: string;

  /** Number of runs that were not requested because too many of the application were waiting. */
  @Column({ type: 'bigint', default: 0 })
  droppedRuns: string;
}

export const FLOW_RUN_SUMS = holding(FlowRunSum, {
  table: 'flow_run_sums',
  title: 'Sum of runs',
  after: ['flows'],
});
