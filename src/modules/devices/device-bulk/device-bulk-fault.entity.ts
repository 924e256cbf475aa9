import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Job } from '../../../platform/jobs/job.entity.js';

/** Reason why a bulk job could not process a device. */
@Entity('device_bulk_faults')
export class DeviceBulkFault {
  @ForeignKey(() => Job, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  jobId: string;

  @PrimaryColumn({ type: 'text' })
  deviceId: string;

  @Column({ type: 'text' })
  message: string;
}
