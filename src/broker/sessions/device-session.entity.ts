import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../platform/holdings/holding.js';
import { Application } from '../../modules/applications/applications/application.resource.js';

/** Last will of a client, which is published if its connection ends without a DISCONNECT. */
export interface LastWill {
  topic: string;
  /** Base64. */
  payload: string;
}

/** MQTT connection of a device. The row exists as long as the connection, and a device has at most one. */
@Entity('device_sessions')
export class DeviceSession {
  @PrimaryColumn({ type: 'text' })
  deviceId: string;

  @Index('device_sessions_by_application')
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  applicationId: string;

  /** ID of the connection. A process changes only rows of its own connections. */
  @Column({ type: 'text' })
  sessionId: string;

  @Index('device_sessions_by_process')
  @Column({ type: 'text' })
  processId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  connectedAt: Date;

  @Column({ type: 'text' })
  address: string;

  /** Whether the connection uses TLS. */
  @Column({ type: 'boolean' })
  isSecure: boolean;

  /** Kept here so that it is also published if the process dies. */
  @Column({ type: 'jsonb', nullable: true })
  will: LastWill | null;
}

export const DEVICE_SESSIONS = holding(DeviceSession, {
  table: 'device_sessions',
  title: 'Session',
  after: ['devices'],
});

/** Process that serves MQTT. If it stops renewing its row, others close its sessions. */
@Entity('broker_processes')
export class BrokerProcess {
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Column({ type: 'timestamptz' })
  expiresAt: Date;
}
