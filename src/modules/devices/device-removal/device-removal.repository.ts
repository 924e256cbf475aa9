import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';

/** Tables with data of devices, in the order of deletion; rows are found by application and device. */
const DEVICE_TABLES = [
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
/** Tables whose rows belong to a single attribute. */
const ATTRIBUTE_TABLES = ['device_points', 'device_hours'] as const;

/** Hourly sums are calculated only for attributes with a newest value, so no sums of the attribute are added again. */
const REMOVE_FROM_STATE = `UPDATE device_states SET last_values = last_values - $3::int::text, attributes = array_remove(attributes, $3::int)
  WHERE application_id = $1 AND device_id = $2 AND last_values ? $3::int::text`;

const BATCH = 1_000;
const REMOVE_DELETED = `DELETE FROM devices WHERE id = ANY (ARRAY(
    SELECT id FROM devices WHERE deleted_at < now() - $1 * interval '1 day' ORDER BY deleted_at LIMIT $2 FOR UPDATE SKIP LOCKED))
  RETURNING application_id, id`;
const ORPHANS = `UPDATE devices SET parent_id = NULL WHERE parent_id = ANY ($1::text[])`;
const DETACH_PERIPHERALS = `UPDATE devices SET gateway_id = NULL, device_class = 'floating' WHERE gateway_id = ANY ($1::text[])`;

/** Removed device, or a removed attribute of a device, given by its number. */
export interface RemovedDevice {
  applicationId: string;
  id: string;
  attribute?: number;
}

/** Permanently removes devices and their data. */
@Injectable()
export class DeviceRemovalRepository {
  constructor(private readonly database: Database) {}

  /** Removes some devices that were deleted more than `days` ago. Detaches their children and peripherals. */
  async removeDeleted(days: number, max: number, transaction: Transaction): Promise<RemovedDevice[]> {
    const gone = await transaction.rows<RemovedDevice>(prepared(REMOVE_DELETED, [days, max]));
    const ids = gone.map(({ id }) => id);
    if (ids.length > 0) {
      await transaction.run(prepared(ORPHANS, [ids]));
      await transaction.run(prepared(DETACH_PERIPHERALS, [ids]));
    }
    return gone;
  }

  /** Deletes all remaining data of a device or attribute, in batches. */
  async removeData({ applicationId, id, attribute }: RemovedDevice, signal: AbortSignal): Promise<void> {
    const values = attribute === undefined ? [applicationId, id] : [applicationId, id, attribute];
    if (attribute !== undefined) await this.database.run(prepared(REMOVE_FROM_STATE, values));
    const own = `application_id = $1 AND device_id = $2${attribute === undefined ? '' : ' AND attribute = $3'}`;
    for (const table of attribute === undefined ? DEVICE_TABLES : ATTRIBUTE_TABLES) {
      // A `ctid` is unique only within a partition. Rows of other partitions that match belong to the same device and
      // are also to be deleted.
      const text = `DELETE FROM ${table} WHERE ${own} AND ctid = ANY (ARRAY(
        SELECT ctid FROM ${table} WHERE ${own} LIMIT ${BATCH})) RETURNING 1`;
      do signal.throwIfAborted();
      while ((await this.database.run(prepared(text, values))).length > 0);
    }
  }
}
