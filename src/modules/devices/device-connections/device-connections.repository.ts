import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database } from '../../../platform/database/database.js';
import type { HistoryQuery } from '../../../platform/lists/history-query.js';
import { countPayloadsSql, type Payloads } from '../../../platform/payloads/payload-deltas.js';
import { newId } from '../../../platform/repositories/resource.js';
import { deviceHistory } from '../devices/device-history.columns.js';
import { reachedStatement, reachSql } from '../devices/device-selection.columns.js';
import type { DeviceTag } from '../devices/device.schemas.js';
import type { DeviceConnection } from './device-connection.entity.js';

/** Stored columns of a connection or disconnection. */
export type Connection = Omit<DeviceConnection, 'id' | 'applicationId' | 'deviceId'>;

/**
 * Updates the log, the state of the device and the counts in one statement. A late report is added to the log, but
 * changes only the parts of the state that have no newer value.
 */
const recordSql = (reach: string) => `WITH device AS (
    SELECT t.id, t.application_id, t.tags FROM devices t
    WHERE t.application_id = $1 AND t.id = $2 AND t.deleted_at IS NULL AND ${reach}),
  logged AS (
    INSERT INTO device_connections (id, application_id, device_id, time, connected, disconnect_reason, messages_from_client,
      messages_to_client, ip_address)
    SELECT $3, d.application_id, d.id, $4, $5, $6, $7, $8, $9 FROM device d RETURNING application_id, device_id),
  state AS (
    INSERT INTO device_states AS s (device_id, application_id, connected, connection_time, connected_at, disconnected_at)
    SELECT d.id, d.application_id, $5, $4, CASE WHEN $5 = 1 THEN $4 ELSE $10::timestamptz END, CASE WHEN $5 = 0 THEN $4 END
    FROM device d
    ON CONFLICT (device_id) DO UPDATE SET
      connected = CASE WHEN s.connection_time > excluded.connection_time THEN s.connected ELSE excluded.connected END,
      connection_time = greatest(s.connection_time, excluded.connection_time),
      connected_at = greatest(s.connected_at, excluded.connected_at),
      disconnected_at = greatest(s.disconnected_at, excluded.disconnected_at)),
  counted AS (${countPayloadsSql(`SELECT l.application_id, l.device_id,
    CASE WHEN $5 = 1 THEN 'deviceConnect' ELSE 'deviceDisconnect' END AS type, $11::text AS channel, 1 AS n, $12::bigint AS bytes
    FROM logged l`)})
  SELECT tags FROM device`;

const LOG = {
  table: 'device_connections',
  columns: ['connected', 'disconnect_reason', 'messages_from_client', 'messages_to_client', 'ip_address'],
} as const;

/** Stores and reads the connections and disconnections of devices. */
@Injectable()
export class DeviceConnectionsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the tags of the device, or `undefined` if the application has no such device or the caller cannot access
   * it. `connectedAt` is the start of the connection, as reported with a disconnection.
   */
  async record(
    application: ApplicationAccess,
    deviceId: string,
    { time, connected, ...rest }: Connection,
    { connectedAt, channel, bytes }: { connectedAt: Date | null } & Pick<Payloads, 'channel' | 'bytes'>,
  ): Promise<readonly DeviceTag[] | undefined> {
    const { disconnectReason, messagesFromClient, messagesToClient, ipAddress } = rest;
    const values: unknown[] = [
      ...[application.id, deviceId, newId(), time, connected],
      ...[disconnectReason, messagesFromClient, messagesToClient, ipAddress],
      ...[connectedAt, channel, bytes],
    ];
    const reach = reachSql(application, values);
    const [device] = await this.database.rows<{ tags: readonly DeviceTag[] }>(
      reachedStatement(reach, recordSql(reach), values),
    );
    return device?.tags;
  }

  /** Returns log entries. Throws a 404 error if the device does not exist or the caller cannot access it. */
  log(application: ApplicationAccess, deviceId: string, query: HistoryQuery): Promise<Connection[]> {
    return deviceHistory(this.database, LOG, application, deviceId, query);
  }
}
