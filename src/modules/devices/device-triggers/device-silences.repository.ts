import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { isFreeFlowSql } from '../../../workflows/runs/free-flow.columns.js';
import { byTags, type TriggeringDevice } from './triggering-device.js';

/** A device that has not reported for the time that a trigger waits. */
export interface Silence {
  applicationId: string;
  flowId: string;
  flowVersionId: string | null;
  /** `deviceIdInactivity` or `deviceTagInactivity`. */
  type: string;
  key: string;
  deviceId: string;
  /** Time that the trigger waits. */
  seconds: number;
  /** Arrival of the last report. */
  heardAt: Date;
}

/** Maximum number of silences per transaction. */
const MAX_SILENCES = 500;
/** Longest time that a trigger waits. Workflows that were saved by older versions of the software can ask for more. */
const MAX_SECONDS = 366 * 86_400;

/**
 * A later report only changes the row if the time that is left changes noticeably, so that a device that reports ten
 * times a second costs one write a second. Sorted, so that concurrent batches lock rows in the same order.
 */
const HEARD = `INSERT INTO device_silences AS s (device_id, flow_id, type, key, application_id, flow_version_id, since,
    seconds, heard_at, due_at)
  SELECT DISTINCT ON (a.device_id, g.flow_id, a.type, a.key) a.device_id, g.flow_id, a.type, a.key, a.application_id,
    g.flow_version_id, g.since, g.seconds, $1::timestamptz, $1::timestamptz + make_interval(secs => g.seconds)
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) a (application_id, device_id, type, key)
  CROSS JOIN LATERAL (
    SELECT g.flow_id, g.flow_version_id, g.since, least((g.config->>'seconds')::float8, ${MAX_SECONDS}) AS seconds
    FROM flow_triggers g
    WHERE g.application_id = a.application_id AND g.version = 'default' AND g.type = a.type
      AND md5(g.key) = md5(a.key) AND g.key = a.key AND jsonb_typeof(g.config->'seconds') = 'number' OFFSET 0) g
  ORDER BY a.device_id, g.flow_id, a.type, a.key
  ON CONFLICT (device_id, flow_id, type, md5(key)) DO UPDATE SET flow_version_id = excluded.flow_version_id,
    since = excluded.since, seconds = excluded.seconds, heard_at = excluded.heard_at, due_at = excluded.due_at
  WHERE s.since <> excluded.since
    OR excluded.due_at > s.due_at + make_interval(secs => least(1, excluded.seconds / 10))`;
/**
 * Locked workflows wait for the next look, because all others would wait for them too. A trigger that was saved again starts
 * anew, and a deleted device is not silent.
 */
const TAKE = `WITH due AS MATERIALIZED (
    SELECT s.ctid FROM device_silences s WHERE s.due_at <= $1 AND ${isFreeFlowSql('s.flow_id')}
    ORDER BY s.due_at LIMIT ${MAX_SILENCES} FOR UPDATE SKIP LOCKED),
  taken AS (DELETE FROM device_silences s USING due WHERE s.ctid = due.ctid RETURNING s.*)
  SELECT s.application_id, s.flow_id, s.flow_version_id, s.type, s.key, s.device_id, s.seconds, s.heard_at,
    t.since IS NOT NULL AND d.id IS NOT NULL AS is_current
  FROM taken s LEFT JOIN LATERAL (
    SELECT t.since FROM flow_triggers t WHERE t.flow_id = s.flow_id AND t.version = 'default' AND t.type = s.type
      AND t.key = s.key AND t.since = s.since LIMIT 1) t ON true
  LEFT JOIN devices d ON d.id = s.device_id AND d.application_id = s.application_id AND d.deleted_at IS NULL`;

/** Stores when devices will have been silent for the time that triggers of workflows wait. */
@Injectable()
export class DeviceSilencesRepository {
  constructor(private readonly database: Database) {}

  /** Notes that devices have reported. */
  async heard(devices: readonly TriggeringDevice[]): Promise<void> {
    const triggers = [...new Map(devices.map((device) => [device.id, device])).values()].flatMap((device) =>
      [{ type: 'deviceIdInactivity', key: device.id }, ...byTags('deviceTagInactivity', device)].map(
        (trigger) => ({ ...trigger, device }),
      ),
    );
    const columns = [
      triggers.map(({ device }) => device.applicationId),
      triggers.map(({ device }) => device.id),
      triggers.map(({ type }) => type),
      triggers.map(({ key }) => key),
    ];
    await this.database.write(prepared(HEARD, [new Date(), ...columns]));
  }

  /**
   * Removes silences that have lasted long enough and returns them, with whether their trigger and device are still the
   * same. Those that another transaction has locked are left out.
   */
  take(now: Date, transaction: Transaction): Promise<(Silence & { isCurrent: boolean })[]> {
    return transaction.rows(prepared(TAKE, [now]));
  }
}
