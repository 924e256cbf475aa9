import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/** A value with its time in milliseconds since 1970; long texts are left out, and read from their point. */
export type LastValue = [time: number, value?: number | string | boolean];

/**
 * What is known of a device at the moment; a device that was never heard of has no row. Whoever changes points of the device holds
 * the lock of this row, so that hours are added up of all points or of none.
 */
@Entity('device_states')
export class DeviceState {
  @PrimaryColumn({ type: 'text' })
  deviceId: string;

  @Index('device_states_by_application')
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  applicationId: string;

  /** The newest value of each attribute, by the attribute's number. */
  @Column({ type: 'jsonb', default: {} })
  lastValues: Record<string, LastValue>;

  /** The attributes of which there are newest values. */
  @Column({ type: 'integer', array: true, default: [] })
  attributes: number[];

  /** A time in milliseconds since 1970 that none of the newest values is later than; absent where none is known. */
  @Column({ type: 'bigint', nullable: true })
  newest: string | null;

  /** 1 or 0; nothing of a device that never said. */
  @Column({ type: 'smallint', nullable: true })
  connected: number | null;

  /** When that was said. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  connectionTime: Date | null;

  /** When it last came. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  connectedAt: Date | null;

  /** When it last went. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  disconnectedAt: Date | null;
}

export const DEVICE_STATES = holding(DeviceState, { table: 'device_states', title: 'State' });
