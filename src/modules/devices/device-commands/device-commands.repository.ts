import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database, type Runner } from '../../../platform/database/database.js';
import type { HistoryQuery } from '../../../platform/lists/history-query.js';
import { countPayloadsSql, type Payloads } from '../../../platform/payloads/payload-deltas.js';
import { deviceQueryFields } from '../devices/device-query.columns.js';
import { deviceHistory } from '../devices/device-history.columns.js';
import {
  reachedStatement,
  reachSql,
  selectedDevices,
  type SelectedDevices,
} from '../devices/device-selection.columns.js';
import type { DeviceSelection } from '../devices/device-selection.js';
import { resolveGroups, pageResolution } from '../devices/resolved-groups.js';

/** Command to be stored and sent. */
export interface Command {
  /** Base of the row IDs: the same value produces the same rows, so that storing is idempotent. */
  id: string;
  name: string;
  /** JSON, or `null` if the command has no payload. */
  payload: string | null;
  time: Date;
  channel: Payloads['channel'];
}

/** Stored command of a device. */
export interface StoredCommand {
  time: Date;
  name: string;
  payload: unknown;
}

/** Result of sending a command to many devices. */
export interface SendResult {
  /** Number of selected devices, up to the requested limit. */
  chosen: number;
  /** ID of the last selected device. */
  last: string | null;
  /** IDs of the devices that received the command in this call. */
  sent: string[] | null;
}

/** Application whose devices are addressed, restricted to those that the caller can access. */
export type Reached = Pick<ApplicationAccess, 'id' | 'devices'>;

const STORED = (ids: string) => `
  INSERT INTO device_commands (id, application_id, device_id, time, name, payload)
  SELECT left($2, 8) || left(md5($2 || d.id), 16), $1, d.id, $3, $4, $5::json FROM ${ids} d
  ON CONFLICT (id) DO NOTHING RETURNING application_id, device_id`;
const COUNTED =
  countPayloadsSql(`SELECT s.application_id, s.device_id, 'deviceCommand' AS type, $6::text AS channel, 1 AS n,
  $7::bigint AS bytes FROM sent s`);

/** Stores the command for the device if it exists, and counts it, in one atomic statement. */
const sendSql = (reach: string) => `WITH device AS (
    SELECT t.id FROM devices t WHERE t.application_id = $1 AND t.id = $8 AND t.deleted_at IS NULL AND ${reach}),
  sent AS (${STORED('device')}), counted AS (${COUNTED})
  SELECT id FROM device`;

/** Sends to no device if more are selected than may receive the command in one call. */
const sendToSomeSql = (reach: string, { table, where, id }: SelectedDevices) => `WITH chosen AS MATERIALIZED (
    SELECT t.id FROM ${table} t WHERE t.application_id = $1 AND t.deleted_at IS NULL AND ${reach} AND ${where}
    ORDER BY ${id} LIMIT $9),
  meant AS (SELECT c.id FROM chosen c WHERE (SELECT count(*) FROM chosen) <= $10),
  sent AS (${STORED('meant')}), counted AS (${COUNTED})
  SELECT (SELECT count(*) FROM chosen) AS chosen, (SELECT max(c.id) FROM chosen c) AS last,
    (SELECT json_agg(s.device_id) FROM sent s) AS sent`;

const HISTORY = { table: 'device_commands', columns: ['name', 'payload'] } as const;

/** Stores and reads the commands of devices. */
@Injectable()
export class DeviceCommandsRepository {
  constructor(private readonly database: Database) {}

  /** Returns `false` if the application has no such device or the caller cannot access it. */
  async send(application: ApplicationAccess, deviceId: string, command: Command): Promise<boolean> {
    const values = [...valuesOf(application, command), deviceId];
    const reach = reachSql(application, values);
    const found = await this.database.run(reachedStatement(reach, sendSql(reach), values));
    return found.length > 0;
  }

  /**
   * Sends to the first `limit` selected devices after `after`, if there are at most `most` of them. A repeated call
   * reaches only the devices that did not receive the command before.
   */
  async sendToSome(
    application: Reached,
    selection: DeviceSelection,
    command: Command,
    { after = '', limit, most }: { after?: string; limit: number; most: number },
    runner: Runner = this.database,
  ): Promise<SendResult> {
    const values = [...valuesOf(application, command), after, limit, most];
    const reach = reachSql(application, values);
    const following = pageResolution(runner, application.id, 'deviceQuery');
    const followed = await resolveGroups([selection.deviceQuery ?? {}], deviceQueryFields, following);
    const selected = selectedDevices(application.id, selection, values, {
      followed,
      after: '$8',
      usesTags: true,
    });
    const [sent] = await runner.rows<SendResult>({ text: sendToSomeSql(reach, selected), values });
    return sent!;
  }

  /** Returns the commands of the device. Throws a 404 error if it does not exist or the caller cannot access it. */
  history(application: ApplicationAccess, deviceId: string, query: HistoryQuery): Promise<StoredCommand[]> {
    return deviceHistory(this.database, HISTORY, application, deviceId, query);
  }
}

const valuesOf = ({ id }: Reached, command: Command): unknown[] => [
  id,
  command.id,
  command.time,
  command.name,
  command.payload,
  command.channel,
  Buffer.byteLength(command.payload ?? ''),
];
