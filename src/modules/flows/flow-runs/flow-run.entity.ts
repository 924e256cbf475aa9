import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/** Error that terminated a path of a run. */
export interface RunError {
  time: string;
  nodeId?: string;
  nodeLabel?: string;
  error: { name: string; message: string };
}

/**
 * Finished run of a workflow. Requested runs are in `run_inbox` until an engine has executed them. Logs and errors of
 * workflows are read from this table, statistics from its sums.
 */
@Entity('flow_runs')
@Index('flow_runs_by_flow', ['flowId', 'requestedAt', 'id'])
@Index('flow_runs_by_version', ['flowId', 'flowVersionId', 'requestedAt', 'id'])
@Index('flow_runs_by_device', ['flowId', 'deviceId', 'requestedAt'], { where: 'device_id IS NOT NULL' })
@Index('flow_runs_errors', ['flowId', 'requestedAt'], { where: `errors <> '[]'` })
@Index('flow_runs_errors_by_version', ['flowId', 'flowVersionId', 'requestedAt'], { where: `errors <> '[]'` })
export class FlowRun {
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Index('flow_runs_by_application')
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  applicationId: string;

  /** No foreign key: the runs of a deleted workflow are deleted in batches. */
  @Column({ type: 'text' })
  flowId: string;

  /** `null` for the development version. */
  @Column({ type: 'text', nullable: true })
  flowVersionId: string | null;

  @Column({ type: 'text', nullable: true })
  deviceId: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  requestedAt: Date;

  /** Payload that started the run; other runs may share it. */
  @Column({ type: 'text' })
  payloadId: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finishedAt: Date | null;

  @Column({ type: 'integer', default: 0 })
  pathsCompleted: number;

  @Column({ type: 'integer', default: 0 })
  pathsFailed: number;

  /** Milliseconds. */
  @Column({ type: 'integer', default: 0 })
  wallTime: number;

  @Column({ type: 'jsonb', default: [] })
  errors: RunError[];
}

export const FLOW_RUNS = holding(FlowRun, {
  table: 'flow_runs',
  title: 'Run',
  after: ['flow_run_payloads', 'flows'],
});
