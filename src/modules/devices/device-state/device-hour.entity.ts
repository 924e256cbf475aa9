import { Column, Entity, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';

/**
 * Sums of an attribute's points in one hour. They are valid unless `DeviceHourDue` contains the hour of the device;
 * then the points must be read. The SQL in `device-hours.columns.ts` reads both.
 */
@Entity('device_hours')
export class DeviceHour {
  @PrimaryColumn({ type: 'text' })
  applicationId: string;

  @PrimaryColumn({ type: 'text' })
  deviceId: string;

  /** Number of the attribute within its device. */
  @PrimaryColumn({ type: 'integer' })
  attribute: number;

  /** Start of the hour, in milliseconds since 1970. */
  @PrimaryColumn({ type: 'bigint' })
  hour: string;

  /** Number of points in the hour. */
  @Column({ type: 'integer' })
  count: number;

  /** Times of the first and the last point, from which values other than numbers are read. */
  @Column({ type: 'bigint' })
  firstTime: string;

  @Column({ type: 'bigint' })
  lastTime: string;

  /** This column and those below apply to numbers only. */
  @Column({ type: 'double precision', nullable: true })
  first: number | null;

  @Column({ type: 'double precision', nullable: true })
  last: number | null;

  @Column({ type: 'double precision', nullable: true })
  min: number | null;

  @Column({ type: 'double precision', nullable: true })
  max: number | null;

  @Column({ type: 'double precision', nullable: true })
  sum: number | null;

  /**
   * Sum of the squared differences from the mean. Over several hours, it is the sum of these sums and of `count * (mean
   * - mean of all) ** 2`. Sums of plain squares would lose all precision for values far from 0.
   */
  @Column({ type: 'double precision', nullable: true })
  squares: number | null;
}

export const DEVICE_HOURS = holding(DeviceHour, { table: 'device_hours', title: 'Hour', after: ['devices'] });
