import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/** State that a node of a workflow keeps between runs, for one identifier. */
@Entity('flow_node_states')
@Index('flow_node_states_by_day', ['applicationId', 'lastUpdated'])
export class FlowNodeState {
  /** No foreign key: the states of a deleted workflow are deleted in batches. */
  @PrimaryColumn({ type: 'text' })
  flowId: string;

  @PrimaryColumn({ type: 'text' })
  nodeId: string;

  /** Hash of the identifier, which can be any text. */
  @PrimaryColumn({ type: 'text' })
  identifier: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  applicationId: string;

  @Column({ type: 'jsonb' })
  state: unknown;

  /** Number of changes. A change is only made to the revision that it was computed from. */
  @Column({ type: 'integer' })
  revision: number;

  /** Start of the day of the last use. */
  @Column({ type: 'timestamptz', precision: 3 })
  lastUpdated: Date;
}

export const FLOW_NODE_STATES = holding(FlowNodeState, {
  table: 'flow_node_states',
  title: 'Node state',
  after: ['flows'],
});
