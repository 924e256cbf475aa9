import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/** A command that was sent to a device. */
@Entity('device_commands')
@Index('device_commands_by_device', ['deviceId', 'time', 'id'])
@Index('device_commands_by_age', ['applicationId', 'time'])
export class DeviceCommand {
  @PrimaryColumn({ type: 'text' })
  id: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  applicationId: string;

  /** No foreign key: what a device that is gone got is removed a batch at a time. */
  @Column({ type: 'text' })
  deviceId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  time: Date;

  @Column({ type: 'text' })
  name: string;

  /** As it was sent; nothing where it has none. */
  @Column({ type: 'json', nullable: true })
  payload: unknown;
}

export const DEVICE_COMMANDS = holding(DeviceCommand, { table: 'device_commands', title: 'Command' });
