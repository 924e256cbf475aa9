import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { NotFound } from '../../../lib/errors/errors.js';
import type { HistoryQuery } from '../../../platform/lists/history-query.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { acceptedTime } from '../device-state/report-time.js';
import { connectionData } from '../device-triggers/connection-data.js';
import { DeviceTriggers } from '../device-triggers/device-triggers.js';
import type { ConnectionStatus } from './device-connection.schemas.js';
import { DeviceConnectionsRepository, type Connection } from './device-connections.repository.js';

const CONNECTED_AT = 'connectionStatus.connectedAt';

/** Connections of devices that report their own status. */
@Injectable()
export class DeviceConnectionsService {
  constructor(
    private readonly connections: DeviceConnectionsRepository,
    private readonly triggers: DeviceTriggers,
  ) {}

  async record(
    application: ApplicationAccess,
    deviceId: string,
    status: ConnectionStatus,
    by: Author,
  ): Promise<Success> {
    const now = Date.now();
    const connection = connectionOf(status, now);
    const connectedAt =
      status.connectedAt === undefined ? null : acceptedTime(status.connectedAt, now, CONNECTED_AT);
    const tags = await this.connections.record(application, deviceId, connection, {
      connectedAt,
      channel: by.channel,
      bytes: Buffer.byteLength(JSON.stringify(status)),
    });
    if (!tags) throw new NotFound('Device');
    const { time, connected } = connection;
    const device = { id: deviceId, applicationId: application.id, tags };
    const facts = { address: connection.ipAddress, method: 'rest', secure: false } as const;
    if (connected) await this.triggers.connect([{ device, time, data: connectionData(facts) }]);
    else {
      const data = connectionData({ ...facts, ...disconnectionOf(connection), connectedAt });
      await this.triggers.disconnect([{ device, time, data }]);
    }
    return new Success();
  }

  async log(application: ApplicationAccess, deviceId: string, query: HistoryQuery): Promise<object[]> {
    const entries = await this.connections.log(application, deviceId, query);
    return entries.map(told);
  }
}

function connectionOf(status: ConnectionStatus, now: number): Connection {
  const { ipAddress = null } = status;
  const nothing = { disconnectReason: null, messagesFromClient: null, messagesToClient: null };
  if (status.status === 'connected')
    return { ...nothing, time: acceptedTime(status.connectedAt, now, CONNECTED_AT), connected: 1, ipAddress };
  const { disconnectReason = null, messagesFromClient = null, messagesToClient = null } = status;
  const time = acceptedTime(status.disconnectedAt, now, 'connectionStatus.disconnectedAt');
  return { time, connected: 0, disconnectReason, messagesFromClient, messagesToClient, ipAddress };
}

const disconnectionOf = ({ disconnectReason, messagesFromClient, messagesToClient }: Connection) => ({
  disconnectReason,
  messagesFromDevice: messagesFromClient,
  messagesToDevice: messagesToClient,
});

/** Omits the values that were not reported. */
const told = (entry: object): object =>
  Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));
