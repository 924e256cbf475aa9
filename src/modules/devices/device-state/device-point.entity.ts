import { Column, Entity, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';

/**
 * A value that a device reported of an attribute. PostgreSQL keeps the points of each day (UTC) in a partition of their own, which
 * `DevicePartitions` makes and drops. No foreign key, whose check would cost more than the point: what refers to a device that is
 * gone is out of reach, and removed.
 */
@Entity('device_points')
export class DevicePoint {
  @PrimaryColumn({ type: 'text' })
  applicationId: string;

  @PrimaryColumn({ type: 'text' })
  deviceId: string;

  /** The number that the attribute has within its device. */
  @PrimaryColumn({ type: 'integer' })
  attribute: number;

  /** Milliseconds since 1970. */
  @PrimaryColumn({ type: 'bigint' })
  time: string;

  /** Of a number; finite, and at most 1e100 in magnitude, so that neither sums nor squares overflow. */
  @Column({ type: 'double precision', nullable: true })
  number: number | null;

  @Column({ type: 'boolean', nullable: true })
  boolean: boolean | null;

  /** Of a string, a blob, or a place as `latitude,longitude`. */
  @Column({ type: 'text', nullable: true })
  text: string | null;
}

export const DEVICE_POINTS = holding(DevicePoint, { table: 'device_points', title: 'Point' });
