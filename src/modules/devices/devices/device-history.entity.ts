import { Column, ForeignKey, PrimaryColumn } from 'typeorm';
import { Application } from '../../applications/applications/application.resource.js';

/** Entry in a history of a device, such as its commands. Entries expire with the data retention of the owner. */
export abstract class DeviceHistoryEntry {
  @PrimaryColumn({ type: 'text' })
  id: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  applicationId: string;

  /** No foreign key: the history of a deleted device is removed in batches. */
  @Column({ type: 'text' })
  deviceId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  time: Date;
}
