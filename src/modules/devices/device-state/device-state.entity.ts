import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/** Value with its time in milliseconds since 1970. Long texts are omitted and read from their point. */
export type LastValue = [time: number, value?: number | string | boolean];

/**
 * Current state of a device; a device that has never reported or connected has no row. Any change to points of the
 * device requires a lock on this row, so that hourly sums include all of its points or none.
 */
@Entity('device_states')
export class DeviceState {
  @PrimaryColumn({ type: 'text' })
  deviceId: string;

  @Index('device_states_by_application')
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  applicationId: string;

  /** Newest value of each attribute, by attribute number. */
  @Column({ type: 'jsonb', default: {} })
  lastValues: Record<string, LastValue>;

  /** Numbers of the attributes with a newest value. */
  @Column({ type: 'integer', array: true, default: [] })
  attributes: number[];

  /** Upper bound of the times of the newest values, in milliseconds since 1970; `null` if unknown. */
  @Column({ type: 'bigint', nullable: true })
  newest: string | null;

  /** `1` or `0`; `null` if the connection status was never reported. */
  @Column({ type: 'smallint', nullable: true })
  connected: number | null;

  /** Time of the reported connection status. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  connectionTime: Date | null;

  /** Time of the last connection. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  connectedAt: Date | null;

  /** Time of the last disconnection. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  disconnectedAt: Date | null;
}

export const DEVICE_STATES = holding(DeviceState, {
  table: 'device_states',
  title: 'State',
  after: ['devices'],
});
