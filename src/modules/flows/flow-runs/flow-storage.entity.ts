import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';
import { STORAGE_MEASURES } from './flow-storage.columns.js';

/** Value that a workflow keeps between runs. */
@Entity('flow_storage')
@Index('flow_storage_by_day', ['applicationId', 'lastUpdated'])
export class FlowStorage {
  /** No foreign key: the values of a deleted workflow are deleted in batches. */
  @PrimaryColumn({ type: 'text' })
  flowId: string;

  @PrimaryColumn({ type: 'text' })
  key: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  applicationId: string;

  @Column({ type: 'jsonb' })
  value: unknown;

  /** Start of the day of the last use. */
  @Column({ type: 'timestamptz', precision: 3 })
  lastUpdated: Date;
}

export const FLOW_STORAGE = holding(FlowStorage, {
  table: 'flow_storage',
  title: 'Stored value',
  count: 'storageStats',
  measures: STORAGE_MEASURES,
  after: ['flows'],
});
