import { Entity, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';

/** Hour of a device whose points were added, changed or deleted since its sums were calculated. */
@Entity('device_hours_due')
export class DeviceHourDue {
  @PrimaryColumn({ type: 'text' })
  applicationId: string;

  @PrimaryColumn({ type: 'text' })
  deviceId: string;

  /** Start of the hour, in milliseconds since 1970. */
  @Index('device_hours_due_by_hour')
  @PrimaryColumn({ type: 'bigint' })
  hour: string;
}

export const DEVICE_HOURS_DUE = holding(DeviceHourDue, {
  table: 'device_hours_due',
  title: 'Hour to add up',
  after: ['devices'],
});
