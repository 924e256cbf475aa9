import type { ApplicationAccess, OwnedApplication } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { countSql } from '../../../platform/counts/counts.js';
import { type Transaction, type QueuedTransaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { assertWithinLimit, limitedOwner } from '../../../platform/holdings/limits.js';
import { countPayloadsSql } from '../../../platform/payloads/payload-deltas.js';
import type { PayloadChannel } from '../../../platform/payloads/payload-types.js';
import { repositoryOf } from '../../../platform/repositories/repository.js';
import type { RecentKind } from '../../../platform/recent/recent-kinds.js';
import { StoredResource } from '../../../platform/responses/stored-resources.js';
import { seenApplication } from '../../applications/applications/applications.repository.js';
import { reachSql } from './device-selection.columns.js';
import { MAX_ANCESTORS } from './device.columns.js';
import { shapeOf, type DeviceForm } from './device.forms.js';
import { Device, DEVICES } from './device.resource.js';
import type { DeviceClass } from './device.schemas.js';

const BY_ID = 'FROM devices t WHERE t.application_id = $1 AND t.id = $2 AND t.deleted_at IS NULL';
const BY_IDS =
  'FROM devices t WHERE t.application_id = $1 AND t.id = ANY ($2::text[]) AND t.deleted_at IS NULL';
const DEVICE_CLASS = `SELECT t.device_class FROM devices t
  WHERE t.application_id = $1 AND t.id = $2 AND t.deleted_at IS NULL FOR SHARE`;
const RESTORE = `UPDATE devices AS t SET deleted_at = NULL, last_updated = now()
  WHERE t.application_id = $1 AND t.id = $2 AND t.deleted_at IS NOT NULL`;
/** Number of devices of an application. */
const USED = countSql('$2', `'deviceCount'`, { parted: true });
const PERIPHERAL = 'SELECT FROM devices t WHERE t.gateway_id = $1 AND t.deleted_at IS NULL LIMIT 1';
const FLOAT = `UPDATE devices t SET device_class = 'floating', gateway_id = NULL
  WHERE t.gateway_id = $1 AND t.deleted_at IS NOT NULL`;
/** First half of the advisory lock keys of applications, not used elsewhere. */
export const HIERARCHY = 0x64657631;
/** Includes deleted systems, because they can be restored. */
const LINE = `WITH RECURSIVE above (id, parent_id, level) AS (
    SELECT t.id, t.parent_id, 1 FROM devices t
      WHERE t.application_id = $1 AND t.id = $2 AND t.device_class = 'system' AND t.deleted_at IS NULL
    UNION ALL SELECT p.id, p.parent_id, a.level + 1 FROM above a CROSS JOIN LATERAL (
      SELECT t.id, t.parent_id FROM devices t WHERE t.id = a.parent_id OFFSET 0) p WHERE a.level <= $4),
  below (id, level) AS (
    SELECT $3::text, 1
    UNION ALL SELECT c.id, b.level + 1 FROM below b CROSS JOIN LATERAL (
      SELECT t.id FROM devices t WHERE t.parent_id = b.id AND t.device_class = 'system' OFFSET 0) c WHERE b.level <= $4)
  SELECT max(a.level) + (SELECT max(b.level) FROM below b) AS levels, bool_or(a.id = $3) AS has_itself
  FROM above a HAVING count(*) > 0`;

const CREATED = `WITH c AS (${countPayloadsSql(`SELECT $1::text AS application_id, d.device_id,
    'deviceCreate' AS type, $4::text AS channel, 1 AS n, d.bytes
    FROM unnest($2::text[], $3::bigint[]) d (device_id, bytes)`)}) SELECT`;

/** Systems above a position in the hierarchy, and those below the system to be moved there. */
export interface HierarchyLine {
  /** Number of nested levels that would result; counting stops above the allowed maximum. */
  levels: number;
  /** Whether the system to be moved is among those above. */
  hasItself: boolean | null;
}

/** Devices as recently viewed resources of users. */
export const RECENT_DEVICE: RecentKind = {
  table: 'devices',
  seenBy: (caller, values) =>
    `t.deleted_at IS NULL AND t.application_id IN (SELECT t.id FROM applications t WHERE ${seenApplication(caller, values)})`,
};

/** Stores the rows of devices. Deleted devices are only found by lists that request them. */
export class DevicesRepository extends repositoryOf(DEVICES) {
  /** Returns the device; throws a 404 error if it does not exist or the caller cannot access it. */
  async findOneFor(
    application: ApplicationAccess,
    id: string,
    form: DeviceForm = {},
  ): Promise<StoredResource<Device>> {
    const values: unknown[] = [application.id, id];
    const reach = reachSql(application, values);
    const shape = shapeOf(form);
    const statement =
      reach === 'true'
        ? prepared(shape.select(BY_ID), values)
        : { text: `SELECT ${shape.columns} ${BY_ID} AND ${reach}`, values };
    const [row] = await this.database.read(statement);
    if (!row) throw new NotFound(DEVICES.title);
    return new StoredResource(shape, row);
  }

  /** Returns the devices with these IDs, which must exist. */
  async allOf(applicationId: string, ids: readonly string[]): Promise<StoredResource<Device>[]> {
    const shape = shapeOf({});
    const rows = await this.database.run(prepared(shape.select(BY_IDS), [applicationId, ids]));
    return rows.map((row) => new StoredResource(shape, row));
  }

  /**
   * Restores a deleted device; throws a 404 error if it does not exist, or a 400 error if the application would exceed
   * its limit.
   */
  async restore(
    application: ApplicationAccess,
    id: string,
    by: Author,
    transaction: Transaction,
  ): Promise<void> {
    await assertWithinLimit(transaction.manager, limitedOwner(application), 'device', USED, [application.id]);
    const restored = await this.write({ text: RESTORE, values: [application.id, id] }, by, transaction);
    if (restored.length === 0) throw new NotFound(DEVICES.title);
  }

  /**
   * Returns the class of a device and locks it until the transaction ends; `undefined` if the device does not exist.
   */
  async classOf(
    applicationId: string,
    id: string,
    transaction: Transaction,
  ): Promise<DeviceClass | undefined> {
    const [row] = await transaction.run(prepared(DEVICE_CLASS, [applicationId, id]));
    return row?.[0] as DeviceClass | undefined;
  }

  async hasPeripherals(gatewayId: string, transaction: Transaction): Promise<boolean> {
    return (await transaction.run(prepared(PERIPHERAL, [gatewayId]))).length > 0;
  }

  /** Detaches deleted peripherals from their gateway, so that they are floating when restored. */
  async detachDeleted(gatewayId: string, transaction: Transaction): Promise<void> {
    await transaction.run(prepared(FLOAT, [gatewayId]));
  }

  /** Counts the payloads sent to workflows for new devices, with their sizes. */
  async countCreated(
    applicationId: string,
    ids: readonly string[],
    bytes: readonly number[],
    channel: PayloadChannel,
  ): Promise<void> {
    await this.database.run(prepared(CREATED, [applicationId, ids, bytes, channel]));
  }

  /** Prevents other transactions from moving systems of the application until this one ends. */
  lockHierarchy(applicationId: string, transaction: QueuedTransaction): Promise<void> {
    return transaction.lock([HIERARCHY, applicationId]);
  }

  /**
   * Returns the systems from `parentId` upward, for moving `ownId` below it; `undefined` if `parentId` is not a system.
   */
  async lineOf(
    applicationId: string,
    parentId: string,
    ownId: string | undefined,
    transaction: Transaction,
  ): Promise<HierarchyLine | undefined> {
    const values = [applicationId, parentId, ownId ?? null, MAX_ANCESTORS];
    const [line] = await transaction.rows<HierarchyLine>(prepared(LINE, values));
    return line;
  }

  /** Returns the shortest system interval that the application's owner allows, in seconds. */
  async minInterval(application: OwnedApplication, transaction: Transaction): Promise<number> {
    const { table, id } = limitedOwner(application);
    const statement = `SELECT coalesce((o.limits->>'systemInterval')::int, 0) FROM ${table} o WHERE o.id = $1`;
    const [row] = await transaction.run(prepared(statement, [id]));
    return Number(row?.[0] ?? 0);
  }
}
