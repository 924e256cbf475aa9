import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/** Command that was sent to a device. */
@Entity('device_commands')
@Index('device_commands_by_device', ['deviceId', 'time', 'id'])
@Index('device_commands_by_age', ['applicationId', 'time'])
export class DeviceCommand {
  @PrimaryColumn({ type: 'text' })
  id: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  applicationId: string;

  /** No foreign key: the commands of a deleted device are removed in batches. */
  @Column({ type: 'text' })
  deviceId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  time: Date;

  @Column({ type: 'text' })
  name: string;

  /** Payload as sent; `null` if the command has no payload. */
  @Column({ type: 'json', nullable: true })
  payload: unknown;
}

export const DEVICE_COMMANDS = holding(DeviceCommand, {
  table: 'device_commands',
  title: 'Command',
  after: ['devices'],
});
