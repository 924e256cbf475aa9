import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import type { RunTrigger } from '../../../workflows/runs/run-trigger.js';

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

  /** No foreign key: it would lock the row of the application for each run. */
  @Index('flow_runs_by_application')
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

  /** What started the run. `json` preserves the text as received; `null` if it is large, or was stored by an older version. */
  @Column({ type: 'json', nullable: true })
  trigger: RunTrigger | null;

  /** Large trigger, which runs may share; `null` if the run has it. */
  @Column({ type: 'text', nullable: true })
  payloadId: string | null;

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

  /** Number of runs that an edge device has reported together, 0 for errors of such; `null` for a run of the platform. */
  @Column({ type: 'integer', nullable: true })
  reportedRuns: number | null;
}

export const FLOW_RUNS = holding(FlowRun, {
  table: 'flow_runs',
  title: 'Run',
  after: ['flow_run_payloads', 'flows'],
});
