import { Injectable } from '@nestjs/common';
import type { OwnedApplication } from '../../../platform/access/request.js';
import { countSql } from '../../../platform/counts/counts.js';
import { Database, type Runner, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { assertWithinLimit, limitedOwner, type LimitName } from '../../../platform/holdings/limits.js';
import type { JobRequester } from '../../../platform/jobs/job-rows.js';
import type { DeviceTag } from '../devices/device.schemas.js';

/** Columns that are the same for all devices of a call. */
export interface CommonColumns {
  applicationId: string;
  attributes: object;
  attributeNumbers: object;
  nextAttributeNumber: number;
  keepDuplicates: boolean;
}

/** Columns that differ for each device. */
export interface NewDevice {
  id: string;
  name: string;
  description?: string;
  tags: readonly DeviceTag[];
  deviceClass: string;
  gatewayId: string | null;
  parentId: string | null;
  systemInterval: number | null;
}

/** Access key of a single device. */
export interface OwnKey {
  id: string;
  key: string;
  secretHash: string;
  deviceId: string;
  name: string;
}

const OWNER = `SELECT a.id, a.name, a.owner_id, a.owner_type FROM applications a
  WHERE a.id = $1 AND a.deleted_at IS NULL`;
const EXISTING = 'SELECT t.id FROM devices t WHERE t.application_id = $1 AND t.id = ANY ($2::text[])';
const ADD_DEVICES = `INSERT INTO devices (id, creation_date, last_updated, application_id, name, description, tags, device_class,
    gateway_id, parent_id, system_interval, attributes, attribute_numbers, next_attribute_number, keep_duplicates)
  SELECT r.id, now(), now(), $1, r.name, r.description, r.tags, r."deviceClass", r."gatewayId", r."parentId", r."systemInterval",
    $3::jsonb, $4::jsonb, $5, $6
  FROM jsonb_to_recordset($2::jsonb) r (id text, name text, description text, tags jsonb, "deviceClass" text,
    "gatewayId" text, "parentId" text, "systemInterval" int)`;
const ADD_KEYS = `INSERT INTO application_keys (id, creation_date, last_updated, application_id, name, key, secret_hash, status,
    device_ids, device_tags, address_filter_type, addresses, filter_type, pub_topics, sub_topics,
    created_by_id, created_by_type, last_updated_by_id, last_updated_by_type)
  SELECT r.id, now(), now(), $1, r.name, r.key, r."secretHash", 'active',
    jsonb_build_array(r."deviceId"), '[]', 'all', '[]', 'none', '[]', '[]', $3, $4, $3, $4
  FROM jsonb_to_recordset($2::jsonb) r (id text, name text, key text, "secretHash" text, "deviceId" text)`;
/** SQL for the current number of rows of an application, by limit. */
const USED = {
  device: countSql('$2', `'deviceCount'`, { parted: true }),
  applicationkey: countSql('$2', `'keyCount'`),
} as const satisfies Partial<Record<LimitName, string>>;

/** Stores devices that are created in bulk, with their keys. */
@Injectable()
export class RecipeBulkRepository {
  constructor(private readonly database: Database) {}

  /** Returns the current application with its owner; throws a 404 error if it does not exist. */
  async application(
    id: string,
    runner: Runner = this.database,
  ): Promise<OwnedApplication & { name: string }> {
    const [row] = await runner.rows<OwnedApplication & { name: string }>(prepared(OWNER, [id]));
    if (!row) throw new NotFound('Application');
    return row;
  }

  /** Returns the IDs that devices already have. */
  async existing(
    applicationId: string,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<Set<string>> {
    const rows = await transaction.run(prepared(EXISTING, [applicationId, ids]));
    return new Set(rows.map(([id]) => id!));
  }

  /** Throws a 400 error if the application would exceed its limit. */
  assertRoom(
    application: OwnedApplication,
    limit: keyof typeof USED,
    more: number,
    { manager }: Transaction,
  ): Promise<void> {
    return assertWithinLimit(manager, limitedOwner(application), limit, USED[limit], [application.id], more);
  }

  /** Stores any number of devices in one statement. */
  async addDevices(
    { applicationId, attributes, attributeNumbers, nextAttributeNumber, keepDuplicates }: CommonColumns,
    devices: readonly NewDevice[],
    transaction: Transaction,
  ): Promise<void> {
    await transaction.run(
      prepared(ADD_DEVICES, [
        applicationId,
        JSON.stringify(devices),
        JSON.stringify(attributes),
        JSON.stringify(attributeNumbers),
        nextAttributeNumber,
        keepDuplicates,
      ]),
    );
  }

  /** Stores an access key for each device. */
  async addKeys(
    applicationId: string,
    keys: readonly OwnKey[],
    by: JobRequester,
    transaction: Transaction,
  ): Promise<void> {
    await transaction.run(prepared(ADD_KEYS, [applicationId, JSON.stringify(keys), by.id, by.type]));
  }
}
