import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Flow } from '../flows/flow.resource.js';

/** A value that a workflow keeps between its runs. */
@Entity('flow_storage')
export class FlowStorage {
  @ForeignKey(() => Flow, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  flowId: string;

  @PrimaryColumn({ type: 'text' })
  key: string;

  @Column({ type: 'jsonb' })
  value: unknown;

  @Column({ type: 'timestamptz', precision: 3 })
  lastUpdated: Date;
}
