import { Column, Entity, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';

/**
 * Stored value of an attribute of a device. PostgreSQL stores the points of each day (UTC) in a separate partition,
 * which `DevicePartitions` creates and drops. There is no foreign key, because its check would cost more than the
 * point: points of a removed device are inaccessible and are deleted.
 */
@Entity('device_points')
export class DevicePoint {
  @PrimaryColumn({ type: 'text' })
  applicationId: string;

  @PrimaryColumn({ type: 'text' })
  deviceId: string;

  /** Number of the attribute within its device. */
  @PrimaryColumn({ type: 'integer' })
  attribute: number;

  /** Time of the point, in milliseconds since 1970. */
  @PrimaryColumn({ type: 'bigint' })
  time: string;

  /** Value of a number; finite and at most 1e100 in magnitude, so that neither sums nor squares overflow. */
  @Column({ type: 'double precision', nullable: true })
  number: number | null;

  @Column({ type: 'boolean', nullable: true })
  boolean: boolean | null;

  /** Value of a string, a blob, or a location as `latitude,longitude`. */
  @Column({ type: 'text', nullable: true })
  text: string | null;
}

export const DEVICE_POINTS = holding(DevicePoint, {
  table: 'device_points',
  title: 'Point',
  after: ['devices'],
});
