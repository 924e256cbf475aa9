import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import type { DeviceTag, StoredAttribute } from '../devices/device.schemas.js';
import type { LastValue } from '../device-state/device-state.entity.js';
import type { ChildValues } from './system-values.js';

/** System that is due to report. */
export interface DueSystem {
  id: string;
  applicationId: string;
  tags: readonly DeviceTag[];
  attributes: readonly StoredAttribute[];
  attributeNumbers: Readonly<Record<string, number>>;
  /** Values of its last report, by attribute number. */
  lastValues: Readonly<Record<string, LastValue>>;
  /** Time of the newest value included in its last report, in milliseconds since 1970. */
  seen: number;
}

/** Child of a system, with its name, which determines its position among the others. */
export interface Child extends ChildValues {
  name: string;
}

/**
 * Concurrent workers take different systems. A deleted system is rescheduled without a report, because it may be
 * restored.
 */
const CLAIM_DUE = `WITH due AS MATERIALIZED (
    SELECT s.device_id FROM device_systems s WHERE s.due_at <= now() ORDER BY s.due_at LIMIT $1 FOR UPDATE SKIP LOCKED),
  systems AS MATERIALIZED (
    SELECT d.* FROM due CROSS JOIN LATERAL (SELECT * FROM devices d WHERE d.id = due.device_id OFFSET 0) d),
  taken AS (
    UPDATE device_systems s SET due_at = now() + coalesce(d.system_interval, 60) * interval '1 second'
    FROM systems d WHERE s.device_id = d.id RETURNING s.device_id, s.seen)
  SELECT d.id, d.application_id, d.tags, d.attributes, d.attribute_numbers, t.seen,
    coalesce((SELECT v.last_values FROM device_states v WHERE v.device_id = d.id), '{}') AS last_values,
    d.deleted_at IS NOT NULL AS is_deleted
  FROM taken t JOIN systems d ON d.id = t.device_id`;
/**
 * Reads a page of the children of a system in the order of their index, with the newest values of the attributes `$5`.
 */
const CHILDREN = `SELECT t.id, t.name, CASE WHEN $6 THEN t.tags ELSE '[]' END AS tags, (
    SELECT coalesce(jsonb_object_agg(n.name, s.last_values->(t.attribute_numbers->>n.name)), '{}')
    FROM unnest($5::text[]) n (name) WHERE s.last_values ? (t.attribute_numbers->>n.name)) AS values
  FROM devices t CROSS JOIN LATERAL (SELECT s.last_values FROM device_states s WHERE s.device_id = t.id OFFSET 0) s
  WHERE t.parent_id = $1 AND (t.name, t.id) > ($2, $3) AND t.deleted_at IS NULL ORDER BY t.name, t.id LIMIT $4`;
const RECORD_SEEN = `UPDATE device_systems s SET seen = r.seen
  FROM unnest($1::text[], $2::bigint[]) r (device_id, seen) WHERE s.device_id = r.device_id`;

/** Reads the systems that are due, and the values of their children. */
@Injectable()
export class DeviceSystemsRepository {
  constructor(private readonly database: Database) {}

  /** Takes up to `max` due systems, longest overdue first. `taken` also counts deleted ones. */
  async claimDue(max: number): Promise<{ systems: DueSystem[]; taken: number }> {
    const rows = await this.database.rows<DueSystem & { isDeleted: boolean }>(prepared(CLAIM_DUE, [max]));
    return { systems: rows.filter(({ isDeleted }) => !isDeleted), taken: rows.length };
  }

  /**
   * Returns the direct children of a system after `after`, sorted by name and ID, with their newest values of `names`.
   */
  children(
    systemId: string,
    after: { name: string; id: string },
    names: readonly string[],
    withTags: boolean,
    max: number,
  ): Promise<Child[]> {
    return this.database.rows(prepared(CHILDREN, [systemId, after.name, after.id, max, names, withTags]));
  }

  /** Stores the time of the newest value that each system has included. */
  async recordSeen(seen: readonly { id: string; seen: number }[]): Promise<void> {
    const values = [seen.map(({ id }) => id), seen.map((one) => one.seen)];
    await this.database.run(prepared(RECORD_SEEN, values));
  }
}
