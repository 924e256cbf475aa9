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

/** Response to a device that signs in, without its token. */
export type SignedInDevice = Omit<AuthedDevice, 'token'>;

/** A device with a key that it can use, and the addresses from which it can use it. */
export interface DeviceWithKey {
  device: SignedInDevice;
  keyId: string;
  addresses: AddressRule | null;
}

const deviceSql = (filterType: string, pubTopics: string, subTopics: string): string => `json_build_object(
  'applicationId', a.id, 'deviceId', d.id, 'deviceClass', d.device_class, 'ownerType', a.owner_type,
  'filterType', ${filterType}, 'pubTopics', ${pubTopics}, 'subTopics', ${subTopics})`;

// A wrong secret is detected in the row of the key, and so costs the same as an unknown key.
const DEVICE_WITH_KEY = `SELECT json_build_object('device', ${deviceSql('k.filter_type', 'k.pub_topics', 'k.sub_topics')},
    'keyId', k.id, 'addresses', ${ADDRESS_RULE_SQL})
  FROM ${DEVICES_WITH_KEYS} AND d.id = $1 AND k.key = $2 AND k.secret_hash = $3`;

const DEVICE_WITH_CERTIFICATE = `SELECT ${deviceSql(
  `coalesce(k.filter_type, 'none')`,
  `coalesce(k.pub_topics, '[]')`,
  `coalesce(k.sub_topics, '[]')`,
)} FROM ${DEVICES_WITH_CERTIFICATES} AND d.id = $1`;

const APPLICATION = `SELECT d.application_id FROM devices d WHERE d.id = $1 AND d.deleted_at IS NULL`;

/** Repository of devices with their keys and certificates for signing in. */
@Injectable()
export class DeviceSignInRepository {
  constructor(private readonly database: Database) {}

  /** Returns the device with the key that has this secret, or `undefined` if any of them is wrong. */
  async find(deviceId: string, key: string, secretHash: string): Promise<DeviceWithKey | undefined> {
    const [row] = await this.database.read(prepared(DEVICE_WITH_KEY, [deviceId, key, secretHash]));
    return row && (JSON.parse(row[0]!) as DeviceWithKey);
  }

  /** Returns the device if it can use the certificate. The caller has already verified the signature. */
  async withCertificate(deviceId: string, claim: CertificateClaim): Promise<SignedInDevice | undefined> {
    const values = [deviceId, JSON.stringify(claim)];
    const [row] = await this.database.read(prepared(DEVICE_WITH_CERTIFICATE, values));
    return row && (JSON.parse(row[0]!) as SignedInDevice);
  }

  /** Returns the ID of the application that a device belongs to. */
  async applicationOf(deviceId: string): Promise<string | undefined> {
    const [row] = await this.database.read(prepared(APPLICATION, [deviceId]));
    return row?.[0] ?? undefined;
  }
}
