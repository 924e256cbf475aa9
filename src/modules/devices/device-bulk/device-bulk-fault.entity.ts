import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Job } from '../../../platform/jobs/job.entity.js';

/** Why a job could not do with a device what it was to do with many. */
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
