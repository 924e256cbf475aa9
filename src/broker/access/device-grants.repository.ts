import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { BatchLoader } from '../../lib/async/batch-loader.js';
import {
  ADDRESS_RULE_SQL,
  CERTIFICATE_CREDENTIALS_SQL,
  DEVICES_WITH_CERTIFICATES,
  DEVICES_WITH_KEYS,
  KEY_REACH_SQL,
} from '../../platform/access/device-access.js';
import type { CertificateClaim } from '../../platform/access/token-signer.js';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { reachedStatement, reachSql } from '../../modules/devices/devices/device-selection.columns.js';
import { DeviceGrant, SharedGrant, type PresentedCertificate, type SharedFacts } from './device-grant.js';

/** What a client presents: its ID and an access key, with the hash of the secret. */
export interface PresentedKey {
  deviceId: string;
  key: string;
  secretHash: string;
}

/** Why a client cannot sign in with a key. */
export type RefusedKey = 'device' | 'key' | 'restriction';

interface GrantRow {
  deviceId: string;
  /** `SharedFacts` as JSON. */
  shared: string;
}

/** Facts that devices with the same key or certificate share. */
const SHARED = `'deviceClass', d.device_class, 'applicationId', a.id, 'ownerId', a.owner_id, 'rules', json_build_object('filterType', coalesce(k.filter_type, 'none'),
  'pubTopics', coalesce(k.pub_topics, '[]'), 'subTopics', coalesce(k.sub_topics, '[]'))`;
const OF_KEY = `d.id AS device_id, json_build_object(${SHARED}, 'keyId', k.id, 'reach', ${KEY_REACH_SQL},
  'addresses', ${ADDRESS_RULE_SQL})::text AS shared`;
/** A certificate gives no sight of other devices. */
const OF_CERTIFICATE = `d.id AS device_id, json_build_object(${SHARED},
  'reach', json_build_object('deviceIds', '[]'::json, 'deviceTags', '[]'::json))::text AS shared,
  ${CERTIFICATE_CREDENTIALS_SQL}::text AS certificate_ids`;

const withKeySql = (columns: string, condition: string): string => `SELECT r.n, f.*
  FROM unnest(${columns
    .split(', ')
    .map((_, n) => `$${n + 1}::text[]`)
    .join(', ')}) WITH ORDINALITY r (${columns}, n)
  CROSS JOIN LATERAL (SELECT ${OF_KEY} FROM ${DEVICES_WITH_KEYS} AND d.id = r.device_id AND ${condition} OFFSET 0) f`;
const WITH_KEY = withKeySql('device_id, key, hash', 'k.key = r.key AND k.secret_hash = r.hash');
const WITH_KEY_ID = withKeySql('device_id, key', 'k.id = r.key');
const WITH_CERTIFICATE = `SELECT ${OF_CERTIFICATE} FROM ${DEVICES_WITH_CERTIFICATES} AND d.id = $1`;

/** Finds the first reason in the order in which a CONNACK names them. */
const REFUSAL = `SELECT CASE WHEN d.id IS NULL OR d.device_class IN ('peripheral', 'floating', 'system') THEN 'device'
    WHEN k.id IS NULL THEN 'key' ELSE 'restriction' END, d.application_id
  FROM (VALUES ($1, $2, $3)) r (device_id, key, hash)
  LEFT JOIN devices d ON d.id = r.device_id AND d.deleted_at IS NULL
  LEFT JOIN application_keys k ON k.key = r.key AND k.application_id = d.application_id AND k.status = 'active'
    AND k.secret_hash = r.hash`;

/** Why devices may not use their keys any more. */
const REASONS = `SELECT r.device_id, CASE WHEN d.id IS NULL THEN 'Device deleted'
    WHEN k.id IS NULL OR k.status <> 'active' THEN 'Access key disabled' ELSE 'Access revoked' END
  FROM unnest($1::text[], $2::text[]) r (device_id, key)
  LEFT JOIN devices d ON d.id = r.device_id AND d.deleted_at IS NULL
  LEFT JOIN application_keys k ON k.id = r.key`;

/** Peripherals of a gateway, and floating devices, which have any gateway. */
const IS_PERIPHERAL = `(t.device_class = 'floating' OR t.device_class = 'peripheral' AND t.gateway_id = $3)`;
const reachedSql = (condition: string): string =>
  `SELECT t.id FROM devices t WHERE t.application_id = $1 AND t.id = ANY ($2) AND t.deleted_at IS NULL
    AND $3::text IS NOT NULL AND (${condition})`;

const MAX_BATCH = 200;
const MAX_SHARED = 2_000;

/** Reads devices with the keys and certificates that they may use, many at a time. */
@Injectable()
@RunsIn('broker')
export class DeviceGrantsRepository {
  /** Facts by their JSON, so that thousands of devices with the same key share them. */
  private readonly shared = new LRUCache<string, SharedGrant>({ max: MAX_SHARED });
  private readonly presented = new BatchLoader(
    (keys: readonly PresentedKey[]) => this.findMany(keys),
    MAX_BATCH,
  );

  constructor(private readonly database: Database) {}

  /** Returns the device if it can use the key and the secret is right, regardless of its address. */
  withKey(presented: PresentedKey): Promise<DeviceGrant | undefined> {
    return this.presented.load(presented);
  }

  /** Returns the devices, of those given with the ID of a key, that can still use it. */
  async withKeyIds(devices: readonly { deviceId: string; keyId: string }[]): Promise<DeviceGrant[]> {
    const values = [devices.map(({ deviceId }) => deviceId), devices.map(({ keyId }) => keyId)];
    const rows = await this.database.rowsOfMany<GrantRow>(prepared(WITH_KEY_ID, values));
    return rows.map((row) => this.grantOf(row));
  }

  /** Returns the device if it can use the certificate, whose signature was verified. `endsAt` is its end. */
  async withCertificate(
    deviceId: string,
    claim: CertificateClaim,
    endsAt: number,
  ): Promise<DeviceGrant | undefined> {
    const [row] = await this.database.rows<GrantRow & { certificateIds: string }>(
      prepared(WITH_CERTIFICATE, [deviceId, JSON.stringify(claim)]),
    );
    return row && this.grantOf(row, { claim, endsAt, ids: JSON.parse(row.certificateIds) as string[] });
  }

  /** Returns why a key was refused, and the application of the device, if it exists. */
  async refusalOf({
    deviceId,
    key,
    secretHash,
  }: PresentedKey): Promise<{ reason: RefusedKey; applicationId?: string }> {
    const [row] = await this.database.read(prepared(REFUSAL, [deviceId, key, secretHash]));
    return { reason: row![0] as RefusedKey, applicationId: row![1] ?? undefined };
  }

  /** Returns why devices may not use their keys any more, by device. */
  async reasonsOf(devices: readonly { deviceId: string; keyId: string }[]): Promise<Map<string, string>> {
    const values = [devices.map(({ deviceId }) => deviceId), devices.map(({ keyId }) => keyId)];
    const rows = await this.database.run(prepared(REASONS, values));
    return new Map(rows.map(([deviceId, reason]) => [deviceId!, reason!]));
  }

  /**
   * Returns the devices whose messages a device may see: those that share its key, and, with `isGateway`, its peripherals.
   */
  async reached(
    grant: DeviceGrant,
    deviceIds: readonly string[],
    isGateway: boolean,
  ): Promise<ReadonlySet<string>> {
    if (deviceIds.length === 0) return new Set();
    const values: unknown[] = [grant.applicationId, deviceIds, grant.deviceId];
    const reach = reachSql({ devices: grant.reach ?? undefined }, values);
    const condition = isGateway ? `${reach} OR ${IS_PERIPHERAL}` : reach;
    const rows = await this.database.run(reachedStatement(reach, reachedSql(condition), values));
    return new Set(rows.map(([id]) => id!));
  }

  private async findMany(keys: readonly PresentedKey[]): Promise<(DeviceGrant | undefined)[]> {
    const values = [
      keys.map(({ deviceId }) => deviceId),
      keys.map(({ key }) => key),
      keys.map(({ secretHash }) => secretHash),
    ];
    const rows = await this.database.rowsOfMany<GrantRow & { n: number }>(prepared(WITH_KEY, values));
    const found = new Map(rows.map((row) => [row.n, this.grantOf(row)]));
    return keys.map((_, at) => found.get(at + 1));
  }

  private grantOf({ deviceId, shared }: GrantRow, certificate?: PresentedCertificate): DeviceGrant {
    let known = this.shared.get(shared);
    if (!known) {
      known = new SharedGrant(JSON.parse(shared) as SharedFacts);
      this.shared.set(shared, known);
    }
    return new DeviceGrant(deviceId, known, certificate);
  }
}
