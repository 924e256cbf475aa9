import { Column, Entity, Index } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { DeviceHistoryEntry } from '../devices/device-history.entity.js';

/** Connection or disconnection of a device. */
@Entity('device_connections')
@Index('device_connections_by_device', ['deviceId', 'time', 'id'])
@Index('device_connections_by_age', ['applicationId', 'time'])
export class DeviceConnection extends DeviceHistoryEntry {
  /** `1` if the device connected, `0` if it disconnected. */
  @Column({ type: 'smallint' })
  connected: 1 | 0;

  @Column({ type: 'text', nullable: true })
  disconnectReason: string | null;

  @Column({ type: 'integer', nullable: true })
  messagesFromClient: number | null;

  @Column({ type: 'integer', nullable: true })
  messagesToClient: number | null;

  @Column({ type: 'text', nullable: true })
  ipAddress: string | null;
}

export const DEVICE_CONNECTIONS = holding(DeviceConnection, {
  table: 'device_connections',
  title: 'Connection',
  after: ['devices'],
});
