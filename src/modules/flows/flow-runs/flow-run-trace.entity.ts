import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import type { TraceEntry } from '../../../workflows/engine/trace.js';

/** Why a trace is stored: the first that holds. */
export const TRACE_REASONS = ['failed', 'watched', 'slow', 'sampled'] as const;
export type TraceReason = (typeof TRACE_REASONS)[number];

/** Executions of nodes in a run. Entries refer to `nodes` by index. */
export interface StoredTrace {
  reason: TraceReason;
  /** Number of executions, of which `entries` has the first and the last ones. */
  count: number;
  nodes: { id: string; type: string; label?: string }[];
  entries: TraceEntry[];
}

/** Trace of a finished run, for some of the runs. */
@Entity('flow_run_traces')
export class FlowRunTrace {
  /** ID of the run. */
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Index('flow_run_traces_by_application')
  @Column({ type: 'text' })
  applicationId: string;

  /** No foreign key: the traces of a deleted workflow are deleted in batches. */
  @Index('flow_run_traces_by_flow')
  @Column({ type: 'text' })
  flowId: string;

  @Column({ type: 'json' })
  trace: StoredTrace;
}

export const FLOW_RUN_TRACES = holding(FlowRunTrace, {
  table: 'flow_run_traces',
  title: 'Trace',
  after: ['flow_runs'],
});
