import { Column, Entity, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';

/**
 * The points of an attribute in an hour, added up. It holds unless `DeviceHourDue` has the hour of that device: then its points
 * are to be read. `device-hours.columns.ts` has the SQL that reads both in one.
 */
@Entity('device_hours')
export class DeviceHour {
  @PrimaryColumn({ type: 'text' })
  applicationId: string;

  @PrimaryColumn({ type: 'text' })
  deviceId: string;

  /** The number that the attribute has within its device. */
  @PrimaryColumn({ type: 'integer' })
  attribute: number;

  /** The beginning of the hour in milliseconds since 1970. */
  @PrimaryColumn({ type: 'bigint' })
  hour: string;

  /** How many points there are. */
  @Column({ type: 'integer' })
  count: number;

  /** When the first point is, and the last: values that are no numbers are read from these points. */
  @Column({ type: 'bigint' })
  firstTime: string;

  @Column({ type: 'bigint' })
  lastTime: string;

  /** What follows is of numbers only. */
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
   * The squares of the differences from the mean, added up. Those of several hours are the sum of theirs and of
   * `count * (mean - mean of all) ** 2`. Sums of plain squares would lose all digits of values that are far from 0.
   */
  @Column({ type: 'double precision', nullable: true })
  squares: number | null;
}

export const DEVICE_HOURS = holding(DeviceHour, { table: 'device_hours', title: 'Hour' });
