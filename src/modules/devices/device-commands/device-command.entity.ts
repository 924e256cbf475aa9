import { Column, Entity, Index } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { DeviceHistoryEntry } from '../devices/device-history.entity.js';

/** Command that was sent to a device. */
@Entity('device_commands')
@Index('device_commands_by_device', ['deviceId', 'time', 'id'])
@Index('device_commands_by_age', ['applicationId', 'time'])
export class DeviceCommand extends DeviceHistoryEntry {
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
