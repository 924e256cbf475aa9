import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import type { RunTrigger } from '../../../workflows/runs/run-trigger.js';

/**
 * Large trigger, stored once for all runs that it starts. Runs refer to it by `payloadId`; it is kept at least as long as
 * the runs.
 */
@Entity('flow_run_payloads')
export class FlowRunPayload {
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Index('flow_run_payloads_by_application')
  @Column({ type: 'text' })
  applicationId: string;

  /** `json` preserves the text as received; `jsonb` rejects NUL characters, which bytes decoded as text can contain. */
  @Column({ type: 'json' })
  trigger: RunTrigger;
}

export const FLOW_RUN_PAYLOADS = holding(FlowRunPayload, { table: 'flow_run_payloads', title: 'Payload' });
