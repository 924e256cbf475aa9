import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';

/** Every table of what devices leave behind, in the order in which it is removed; each is found by application and device. */
const HELD_BY_DEVICE = [
  'device_points',
  'device_hours',
  'device_hours_due',
  'device_states',
  'device_commands',
  'device_connections',
  'edge_deployments',
  'embedded_deployment_flows',
  'embedded_deployments',
  'embedded_modules',
] as const;
/** Those of them that tell attributes apart. */
const HELD_BY_ATTRIBUTE = ['device_points', 'device_hours'] as const;

/** What is no newest value is not looked for as hours are added up, so none of the attribute come back. */
const FORGET = `UPDATE device_states SET last_values = last_values - $3::int::text, attributes = array_remove(attributes, $3::int)
  WHERE application_id = $1 AND device_id = $2 AND last_values ? $3::int::text`;

const BATCH = 1_000;
const TAKEN = `DELETE FROM devices WHERE id = ANY (ARRAY(
    SELECT id FROM devices WHERE deleted_at < now() - $1 * interval '1 day' ORDER BY deleted_at LIMIT $2 FOR UPDATE SKIP LOCKED))
  RETURNING application_id, id`;
const ORPHANS = `UPDATE devices SET parent_id = NULL WHERE parent_id = ANY ($1::text[])`;
const FLOATING = `UPDATE devices SET gateway_id = NULL, device_class = 'floating' WHERE gateway_id = ANY ($1::text[])`;

/** A device that is gone, or with `attribute` the number of one that is. */
export interface GoneDevice {
  applicationId: string;
  id: string;
  attribute?: number;
}

/** Removes devices for good, and what they reported. */
@Injectable()
export class DeviceRemovalRepository {
  constructor(private readonly database: Database) {}

  /** Removes some devices that were deleted so many days ago; what stood below them or spoke through them stands alone. */
  async take(days: number, most: number, transaction: Transaction): Promise<GoneDevice[]> {
    const gone = await transaction.rows<GoneDevice>(prepared(TAKEN, [days, most]));
    const ids = gone.map(({ id }) => id);
    if (ids.length > 0) {
      await transaction.run(prepared(ORPHANS, [ids]));
      await transaction.run(prepared(FLOATING, [ids]));
    }
    return gone;
  }

  /** Removes all that is left of it, a batch at a time. */
  async removeData({ applicationId, id, attribute }: GoneDevice, signal: AbortSignal): Promise<void> {
    const values = attribute === undefined ? [applicationId, id] : [applicationId, id, attribute];
    if (attribute !== undefined) await this.database.run(prepared(FORGET, values));
    const own = `application_id = $1 AND device_id = $2${attribute === undefined ? '' : ' AND attribute = $3'}`;
    for (const table of attribute === undefined ? HELD_BY_DEVICE : HELD_BY_ATTRIBUTE) {
      // Partitions have rows of the same ctid: those of the device that go too are of no use either.
      const text = `DELETE FROM ${table} WHERE ${own} AND ctid = ANY (ARRAY(
        SELECT ctid FROM ${table} WHERE ${own} LIMIT ${BATCH})) RETURNING 1`;
      do signal.throwIfAborted();
      while ((await this.database.run(prepared(text, values))).length > 0);
    }
  }
}
