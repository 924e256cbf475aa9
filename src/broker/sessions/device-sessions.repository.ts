import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import { countPayloadsSql } from '../../platform/payloads/payload-deltas.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { newId } from '../../platform/repositories/resource.js';
import {
  DUPLICATE,
  SHUTDOWN,
  type Closing,
  type EndedSession,
  type Opened,
  type Opening,
} from './session-rows.js';

/** Seconds after which a process that does not renew its row counts as dead. */
export const LEASE_SECONDS = 15;
/** Maximum number of sessions of a dead process that a transaction closes. */
const MAX_LOST = 500;

const COUNTED = (type: string, rows: string): string =>
  `SELECT application_id, device_id, '${type}' AS type, 'device.mqtt' AS channel, 1 AS n, 0 AS bytes FROM ${rows}`;
const LOG = `device_connections (id, application_id, device_id, time, connected, disconnect_reason, messages_from_client,
  messages_to_client, ip_address)`;
const STATE =
  'device_states AS t (device_id, application_id, connected, connection_time, connected_at, disconnected_at)';
/** Applications of the rows with workflows for connections or disconnections. */
const listeningSql = (rows: string): string => {
  const listens = (
    name: string,
  ): string => `EXISTS (SELECT FROM flow_triggers g WHERE g.application_id = a.application_id
    AND g.version = 'default' AND g.type IN ('deviceId${name}', 'deviceTag${name}'))`;
  return `(SELECT json_agg(l) FROM (SELECT a.application_id AS id, ${listens('Connect')} AS "toConnect",
    ${listens('Disconnect')} AS "toDisconnect" FROM (SELECT DISTINCT application_id FROM ${rows}) a) l)`;
};
const ENDED = `json_build_object('deviceId', e.device_id, 'applicationId', e.application_id, 'connectedAt', e.connected_at,
  'address', e.address, 'isSecure', e.is_secure, 'will', e.will, 'reason', e.reason,
  'messagesFromClient', e.messages_from_client, 'messagesToClient', e.messages_to_client)`;
/** Time of a change: when the row of the session is locked, because `now()` can be older than the change before it. */
const THEN = 'clock_timestamp()';
/** Times are stored in milliseconds. A change in the millisecond of the one before it is logged after that. */
const AFTER = `CASE WHEN t.connection_time BETWEEN excluded.connection_time AND excluded.connection_time + interval '1 second'
  THEN t.connection_time + interval '1 millisecond' ELSE excluded.connection_time END`;

/**
 * Opens sessions, and replaces those of this process, those of dead processes, and the named ones of others. The log, the
 * state of the device and the payloads are part of the statement. Rows are locked in the order of their IDs. Like below, each is
 * found by key in a subquery. After all devices have disconnected, the planner takes the table for empty, and would
 * otherwise read all of it for each batch of devices that connect again.
 */
export const OPEN = `WITH asked AS MATERIALIZED (
    SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::text[], $8::text[], $9::text[],
      $10::text[]) r (device_id, application_id, session_id, address, is_secure, will, replaced_id, log_id, ended_id)
    ORDER BY r.device_id),
  prior AS MATERIALIZED (
    SELECT s.*, r.replaced_id, r.ended_id,
      EXISTS (SELECT FROM broker_processes b WHERE b.id = s.process_id AND b.expires_at > now()) AS is_alive
    FROM asked r CROSS JOIN LATERAL (
      SELECT s.* FROM device_sessions s WHERE s.device_id = r.device_id OFFSET 0 FOR UPDATE) s),
  opened AS (
    INSERT INTO device_sessions AS s (device_id, application_id, session_id, process_id, connected_at, address, is_secure, will)
    SELECT r.device_id, r.application_id, r.session_id, $1, now(), r.address, r.is_secure, r.will::jsonb FROM asked r
    WHERE NOT EXISTS (SELECT FROM prior p
      WHERE p.device_id = r.device_id AND p.process_id <> $1 AND p.is_alive AND p.session_id IS DISTINCT FROM p.replaced_id)
    ORDER BY r.device_id
    ON CONFLICT (device_id) DO UPDATE SET application_id = excluded.application_id, session_id = excluded.session_id,
      process_id = excluded.process_id, connected_at = excluded.connected_at, address = excluded.address,
      is_secure = excluded.is_secure, will = excluded.will
    WHERE EXISTS (SELECT FROM prior p WHERE p.device_id = s.device_id AND p.session_id = s.session_id)
    RETURNING s.device_id, s.application_id, s.address),
  ended AS MATERIALIZED (
    SELECT p.*, CASE WHEN p.process_id = $1 THEN '${DUPLICATE}' ELSE '${SHUTDOWN}' END AS reason,
      NULL::int AS messages_from_client, NULL::int AS messages_to_client
    FROM opened o JOIN prior p ON p.device_id = o.device_id),
  state AS (INSERT INTO ${STATE}
    SELECT o.device_id, o.application_id, 1, ${THEN}, now(), CASE WHEN e.device_id IS NULL THEN NULL ELSE now() END
    FROM opened o LEFT JOIN ended e ON e.device_id = o.device_id ORDER BY o.device_id
    ON CONFLICT (device_id) DO UPDATE SET connected = 1, connection_time = ${AFTER},
      connected_at = excluded.connected_at, disconnected_at = coalesce(excluded.disconnected_at, t.disconnected_at)
    RETURNING t.device_id, t.connection_time),
  logged AS (INSERT INTO ${LOG}
    SELECT e.ended_id, e.application_id, e.device_id, s.connection_time, 0, e.reason, NULL::int, NULL::int, e.address
    FROM ended e JOIN state s ON s.device_id = e.device_id
    UNION ALL
    SELECT r.log_id, o.application_id, o.device_id, s.connection_time, 1, NULL, NULL, NULL, o.address
    FROM opened o JOIN asked r ON r.device_id = o.device_id JOIN state s ON s.device_id = o.device_id),
  counted AS (${countPayloadsSql(`${COUNTED('deviceConnect', 'opened')} UNION ALL ${COUNTED('deviceDisconnect', 'ended')}`)})
  SELECT (SELECT json_agg(json_build_object('deviceId', r.device_id, 'isOpen', o.device_id IS NOT NULL,
      'priorSessionId', p.session_id, 'priorProcessId', p.process_id))
      FROM asked r LEFT JOIN opened o ON o.device_id = r.device_id LEFT JOIN prior p ON p.device_id = r.device_id) AS opened,
    (SELECT json_agg(${ENDED}) FROM ended e) AS ended, ${listeningSql('opened')} AS listening`;

/** Closes the sessions of `closed`: the log, the state of the device and the payloads. */
const endSql = (closed: string): string => `closed AS MATERIALIZED (${closed}),
  state AS (INSERT INTO ${STATE}
    SELECT c.device_id, c.application_id, 0, ${THEN}, NULL, now() FROM closed c ORDER BY c.device_id
    ON CONFLICT (device_id) DO UPDATE SET connected = 0, connection_time = ${AFTER},
      disconnected_at = excluded.disconnected_at
    RETURNING t.device_id, t.connection_time),
  logged AS (INSERT INTO ${LOG} SELECT c.log_id, c.application_id, c.device_id, s.connection_time, 0, c.reason,
    c.messages_from_client, c.messages_to_client, c.address FROM closed c JOIN state s ON s.device_id = c.device_id),
  counted AS (${countPayloadsSql(COUNTED('deviceDisconnect', 'closed'))})
  SELECT (SELECT json_agg(${ENDED}) FROM closed e) AS ended, ${listeningSql('closed')} AS listening`;
/** Closes sessions unless they were replaced. */
export const CLOSE = `WITH asked AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::int[], $6::text[])
      r (device_id, session_id, reason, messages_from_client, messages_to_client, log_id)),
  found AS MATERIALIZED (
    SELECT r.*, s.place FROM asked r CROSS JOIN LATERAL (SELECT s.ctid AS place FROM device_sessions s
      WHERE s.device_id = r.device_id AND s.session_id = r.session_id OFFSET 0) s),
  ${endSql(`DELETE FROM device_sessions s USING found r WHERE s.ctid = r.place
    RETURNING s.*, r.reason, r.messages_from_client, r.messages_to_client, r.log_id`)}`;
const CLOSE_LOST = `WITH lost AS MATERIALIZED (
    SELECT s.place, l.log_id FROM (
      SELECT s.ctid AS place, row_number() OVER () AS n FROM device_sessions s WHERE s.process_id = $1 LIMIT ${MAX_LOST}) s
    JOIN unnest($2::text[]) WITH ORDINALITY l (log_id, n) USING (n)),
  ${endSql(`DELETE FROM device_sessions s USING lost l WHERE s.ctid = l.place
    RETURNING s.*, '${SHUTDOWN}' AS reason, NULL::int AS messages_from_client, NULL::int AS messages_to_client, l.log_id`)}`;

const LOG_REFUSAL = `INSERT INTO ${LOG} SELECT $1, d.application_id, d.id, now(), 0, 'Authentication failed', NULL, NULL, $3
  FROM devices d WHERE d.id = $2 AND d.deleted_at IS NULL`;
const RENEW = `INSERT INTO broker_processes AS b (id, expires_at) VALUES ($1, now() + interval '${LEASE_SECONDS} seconds')
  ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at RETURNING b.xmax = 0`;
const REMOVE = 'DELETE FROM broker_processes WHERE id = $1';
const EXPIRED = 'SELECT id FROM broker_processes WHERE expires_at < now() LIMIT 1 FOR UPDATE SKIP LOCKED';
const OWN = 'SELECT device_id, session_id FROM device_sessions WHERE process_id = $1';
const TAGS = `SELECT d.id, d.tags FROM unnest($1::text[]) r (id) CROSS JOIN LATERAL (
  SELECT d.id, d.tags FROM devices d WHERE d.id = r.id OFFSET 0) d`;

/** What workflows of an application listen to. */
export interface ListeningApplication {
  id: string;
  toConnect: boolean;
  toDisconnect: boolean;
}

interface Ended {
  ended: (Omit<EndedSession, 'connectedAt'> & { connectedAt: string })[] | null;
  listening: ListeningApplication[] | null;
}

/** Sessions that have ended, and the applications that listen to them or to opened ones. */
export interface SessionChanges {
  ended: EndedSession[];
  listening: ListeningApplication[];
}

/** Stores which devices are connected, with the log of their connections. */
@Injectable()
@RunsIn('broker')
export class DeviceSessionsRepository {
  constructor(private readonly database: Database) {}

  /** Opens sessions of different devices for this process. */
  async open(
    processId: string,
    openings: readonly Opening[],
  ): Promise<SessionChanges & { opened: Opened[] }> {
    // Sorts before the ID of the connection, which has the same time in the log.
    const endedIds = openings.map(() => newId());
    const [row] = await this.database.rowsOfMany<Ended & { opened: Opened[] }>(
      prepared(OPEN, [
        processId,
        openings.map(({ deviceId }) => deviceId),
        openings.map(({ applicationId }) => applicationId),
        openings.map(({ sessionId }) => sessionId),
        openings.map(({ address }) => address),
        openings.map(({ isSecure }) => isSecure),
        openings.map(({ will }) => will && JSON.stringify(will)),
        openings.map(({ replacedId }) => replacedId),
        openings.map(() => newId()),
        endedIds,
      ]),
    );
    return { ...changesOf(row!), opened: row!.opened };
  }

  /** Closes sessions unless they were replaced. */
  async close(closings: readonly Closing[]): Promise<SessionChanges> {
    const [row] = await this.database.rowsOfMany<Ended>(
      prepared(CLOSE, [
        closings.map(({ deviceId }) => deviceId),
        closings.map(({ sessionId }) => sessionId),
        closings.map(({ reason }) => reason),
        closings.map(({ messagesFromClient }) => messagesFromClient),
        closings.map(({ messagesToClient }) => messagesToClient),
        closings.map(() => newId()),
      ]),
    );
    return changesOf(row!);
  }

  /** Logs that a client with the ID of the device was refused, without changing the state of the device. */
  async logRefusal(deviceId: string, address: string): Promise<void> {
    await this.database.run(prepared(LOG_REFUSAL, [newId(), deviceId, address]));
  }

  /** Renews the lease of a process. Returns whether it had none, because others have closed its sessions. */
  async renew(processId: string): Promise<boolean> {
    const [row] = await this.database.run(prepared(RENEW, [processId]));
    return row![0] === 't';
  }

  /** Removes a process that has closed all its sessions. */
  async remove(processId: string): Promise<void> {
    await this.database.run(prepared(REMOVE, [processId]));
  }

  /** Returns a process whose lease has expired, and that no other transaction has locked. */
  async findExpired(transaction: Transaction): Promise<string | undefined> {
    const [row] = await transaction.run(prepared(EXPIRED, []));
    return row?.[0] ?? undefined;
  }

  /** Closes some sessions of an expired process, and removes the process if it has no others. */
  async closeLost(processId: string, transaction: Transaction): Promise<SessionChanges> {
    const ids = Array.from({ length: MAX_LOST }, () => newId());
    const [row] = await transaction.rows<Ended>(prepared(CLOSE_LOST, [processId, ids]));
    const changes = changesOf(row!);
    if (changes.ended.length < MAX_LOST) await transaction.run(prepared(REMOVE, [processId]));
    return changes;
  }

  /** Returns the sessions of a process, by device. */
  async ofProcess(processId: string): Promise<Map<string, string>> {
    const rows = await this.database.run(prepared(OWN, [processId]));
    return new Map(rows.map(([deviceId, sessionId]) => [deviceId!, sessionId!]));
  }

  /** Returns the tags of devices, for the workflows that they trigger. */
  async tagsOf(deviceIds: readonly string[]): Promise<Map<string, { key: string; value: string }[]>> {
    const rows = await this.database.rowsOfMany<{ id: string; tags: { key: string; value: string }[] }>(
      prepared(TAGS, [deviceIds]),
    );
    return new Map(rows.map(({ id, tags }) => [id, tags]));
  }
}

const changesOf = ({ ended, listening }: Ended): SessionChanges => ({
  ended: (ended ?? []).map((session) => ({ ...session, connectedAt: new Date(session.connectedAt) })),
  listening: (listening ?? []).filter(({ toConnect, toDisconnect }) => toConnect || toDisconnect),
});
