import { Injectable } from '@nestjs/common';
import type { AddressRule } from '../../../lib/http/address-filter.js';
import {
  ADDRESS_RULE_SQL,
  DEVICES_WITH_CERTIFICATES,
  DEVICES_WITH_KEYS,
} from '../../../platform/access/device-access.js';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import type { CertificateClaim } from '../../../platform/access/token-signer.js';
import type { AuthedDevice } from './device-sign-in.resource.js';

/** What a device is told that is signed in, but for its token. */
export type SignedInDevice = Omit<AuthedDevice, 'token'>;

/** A device with a key that it may use, and from where it may use it. */
export interface DeviceWithKey {
  device: SignedInDevice;
  keyId: string;
  addresses: AddressRule | null;
}

const deviceSql = (filterType: string, pubTopics: string, subTopics: string): string => `json_build_object(
  'applicationId', a.id, 'deviceId', d.id, 'deviceClass', d.device_class, 'ownerType', a.owner_type,
  'filterType', ${filterType}, 'pubTopics', ${pubTopics}, 'subTopics', ${subTopics})`;

// A wrong secret ends at the row of the key, and so costs what a key costs that is not there.
const DEVICE_WITH_KEY = `SELECT json_build_object('device', ${deviceSql('k.filter_type', 'k.pub_topics', 'k.sub_topics')},
    'keyId', k.id, 'addresses', ${ADDRESS_RULE_SQL})
  FROM ${DEVICES_WITH_KEYS} AND d.id = $1 AND k.key = $2 AND k.secret_hash = $3`;

const DEVICE_WITH_CERTIFICATE = `SELECT ${deviceSql(
  `coalesce(k.filter_type, 'none')`,
  `coalesce(k.pub_topics, '[]')`,
  `coalesce(k.sub_topics, '[]')`,
)} FROM ${DEVICES_WITH_CERTIFICATES} AND d.id = $1`;

const APPLICATION = `SELECT d.application_id FROM devices d WHERE d.id = $1 AND d.deleted_at IS NULL`;

/** Devices with what they sign in with. */
@Injectable()
export class DeviceSignInRepository {
  constructor(private readonly database: Database) {}

  /** The device with the key that has this secret; nothing where anything of it is wrong. */
  async find(deviceId: string, key: string, secretHash: string): Promise<DeviceWithKey | undefined> {
    const [row] = await this.database.read(prepared(DEVICE_WITH_KEY, [deviceId, key, secretHash]));
    return row && (JSON.parse(row[0]!) as DeviceWithKey);
  }

  /** The device where it may use a certificate that its authority is known to have signed. */
  async withCertificate(deviceId: string, claim: CertificateClaim): Promise<SignedInDevice | undefined> {
    const values = [deviceId, JSON.stringify(claim)];
    const [row] = await this.database.read(prepared(DEVICE_WITH_CERTIFICATE, values));
    return row && (JSON.parse(row[0]!) as SignedInDevice);
  }

  /** The application that a device belongs to. */
  async applicationOf(deviceId: string): Promise<string | undefined> {
    const [row] = await this.database.read(prepared(APPLICATION, [deviceId]));
    return row?.[0] ?? undefined;
  }
}
