import { Injectable } from '@nestjs/common';
import type { AddressRule } from '../../platform/access/address-filter.js';
import { ADDRESS_RULE_SQL, DEVICES_WITH_KEYS } from '../../platform/access/device-access.js';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import type { AuthedDevice } from './device-sign-in.resource.js';

/** A device with a key that it may use, and from where it may use it. */
export interface DeviceWithKey {
  device: Omit<AuthedDevice, 'token'>;
  keyId: string;
  addresses: AddressRule | null;
}

// A wrong secret ends at the row of the key, and so costs what a key costs that is not there.
const DEVICE_WITH_KEY = `SELECT json_build_object('device', json_build_object('applicationId', a.id, 'deviceId', d.id,
    'deviceClass', d.device_class, 'ownerType', a.owner_type, 'filterType', k.filter_type,
    'pubTopics', k.pub_topics, 'subTopics', k.sub_topics), 'keyId', k.id, 'addresses', ${ADDRESS_RULE_SQL})
  FROM ${DEVICES_WITH_KEYS} AND d.id = $1 AND k.key = $2 AND k.secret_hash = $3`;

/** Devices with what they sign in with. */
@Injectable()
export class DeviceSignInRepository {
  constructor(private readonly database: Database) {}

  /** The device with the key that has this secret; nothing where anything of it is wrong. */
  async find(deviceId: string, key: string, secretHash: string): Promise<DeviceWithKey | undefined> {
    const [row] = await this.database.read(prepared(DEVICE_WITH_KEY, [deviceId, key, secretHash]));
    return row && (JSON.parse(row[0]!) as DeviceWithKey);
  }
}
