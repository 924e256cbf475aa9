import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/** What made a workflow run. */
export interface RunTrigger {
  /** The trigger's type, such as `webhook`, and its key. */
  type: string;
  key: string;
  /** What the trigger hands to the workflow, as `data` of its payload. */
  data: unknown;
  /** Where it came from: a webhook, or the user who pressed a button. */
  sourceId?: string;
  /** What whoever pressed a button says of it, and the deployment that it was pressed in. */
  meta?: unknown;
  deploymentId?: string;
}

/**
 * What was received, once, however many workflows run for it. Whoever executes a run reads it by the run's `payloadId`; it is
 * there as long as a run may be that refers to it.
 */
@Entity('flow_run_payloads')
export class FlowRunPayload {
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Index('flow_run_payloads_by_application')
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  applicationId: string;

  /** Kept as it was received: `jsonb` holds no NUL characters, and bytes that are cast to text may be some. */
  @Column({ type: 'json' })
  trigger: RunTrigger;
}

export const FLOW_RUN_PAYLOADS = holding(FlowRunPayload, { table: 'flow_run_payloads', title: 'Payload' });
