import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Atomic } from '../../../platform/database/atomic.js';
import { Database } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row-shape.js';
import { prepared, shaped } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { BatchLoader } from '../../../lib/async/batch-loader.js';
import { reachSql } from './device-selection.columns.js';
import { DEVICES } from './device.resource.js';
import type { DataType, DeviceClass, DeviceTag } from './device.schemas.js';

/** Properties of a device that are needed to process its reports. */
export interface ReportingDevice {
  id: string;
  applicationId: string;
  deviceClass: DeviceClass;
  /** Gateway of a peripheral. */
  gatewayId: string | null;
  tags: readonly DeviceTag[];
  /** Attributes by name. */
  attributes: ReadonlyMap<string, { number: number; dataType: DataType }>;
}

interface DeviceKey {
  applicationId: string;
  id: string;
}

const COLUMNS = `t.application_id, t.id, t.device_class, t.gateway_id, t.tags, t.attribute_numbers, (
    SELECT coalesce(jsonb_agg(jsonb_build_array(a->'name', a->'dataType')), '[]') FROM jsonb_array_elements(t.attributes) a)`;
const ONE = `SELECT ${COLUMNS} FROM devices t WHERE t.application_id = $1 AND t.id = $2 AND t.deleted_at IS NULL`;
/** Looks up each device by its key, for any number of devices. */
const MANY = `SELECT ${COLUMNS} FROM unnest($1::text[], $2::text[]) r (application_id, id)
  CROSS JOIN LATERAL (SELECT * FROM devices t
    WHERE t.application_id = r.application_id AND t.id = r.id AND t.deleted_at IS NULL OFFSET 0) t`;
const MAX_BATCH_SIZE = 500;

/** Reads devices for processing their reports, many at a time. */
@Injectable()
export class ReportingDevicesRepository {
  private readonly loader = new BatchLoader(
    // Others share the result, so it must not come from the transaction of one caller.
    (keys: readonly DeviceKey[]) => Atomic.outside(() => this.findMany(keys)),
    MAX_BATCH_SIZE,
  );

  constructor(private readonly database: Database) {}

  /**
   * Returns the device; throws a 404 error if it does not exist or the caller cannot report for it. A gateway can report
   * for its own peripherals, even if its key or certificate does not cover them.
   */
  async obtain(application: ApplicationAccess, id: string): Promise<ReportingDevice> {
    const found =
      application.devices && application.ownDeviceId !== id
        ? await this.reached(application, id)
        : await this.find(application.id, id);
    if (!found) throw new NotFound(DEVICES.title);
    return found;
  }

  /** Returns a device of the application, for callers that check access themselves. */
  find(applicationId: string, id: string): Promise<ReportingDevice | undefined> {
    return this.loader.load({ applicationId, id });
  }

  private async reached(application: ApplicationAccess, id: string): Promise<ReportingDevice | undefined> {
    const values: unknown[] = [application.id, id];
    const reach = reachSql(application, values);
    const isOwnPeripheral = `t.device_class = 'peripheral' AND t.gateway_id = $${values.push(application.ownDeviceId)}`;
    const [row] = await this.database.read(shaped(`${ONE} AND (${reach} OR ${isOwnPeripheral})`, values));
    return row && deviceOf(row);
  }

  private async findMany(keys: readonly DeviceKey[]): Promise<(ReportingDevice | undefined)[]> {
    const asked = new Map(keys.map((key) => [keyOf(key), key]));
    const values = [...asked.values()];
    const statement = prepared(MANY, [
      values.map(({ applicationId }) => applicationId),
      values.map(({ id }) => id),
    ]);
    const rows = await this.database.read({ ...statement, isJoined: true });
    const found = new Map(rows.map(deviceOf).map((device) => [keyOf(device), device]));
    return keys.map((key) => found.get(keyOf(key)));
  }
}

const keyOf = ({ applicationId, id }: DeviceKey): string => `${applicationId} ${id}`;

function deviceOf(row: Row): ReportingDevice {
  const [applicationId, id, deviceClass, gatewayId, tags, numbers, types] = row as [
    string,
    string,
    DeviceClass,
    string | null,
    string,
    string,
    string,
  ];
  const numberOf = JSON.parse(numbers) as Record<string, number>;
  return {
    id,
    applicationId,
    deviceClass,
    gatewayId,
    tags: JSON.parse(tags) as DeviceTag[],
    attributes: new Map(
      (JSON.parse(types) as [string, DataType][]).map(([attribute, dataType]) => [
        attribute,
        { number: numberOf[attribute]!, dataType },
      ]),
    ),
  };
}
