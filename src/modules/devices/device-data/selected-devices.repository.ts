import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { deviceQueryFields } from '../devices/device-query.columns.js';
import { reachSql, selectedDevices } from '../devices/device-selection.columns.js';
import type { DeviceSelection } from '../devices/device-selection.js';
import { resolveGroups, searchResolution } from '../devices/resolved-groups.js';
import type { DataType, DeviceTag } from '../devices/device.schemas.js';

/** Maximum number of devices per response. */
const MAX_DEVICES = 1_000;

/** Device selected by a query, with its requested attributes. */
export interface SelectedDevice {
  id: string;
  name: string;
  tags: readonly DeviceTag[];
  attributes: readonly { name: string; dataType: DataType; number: number }[];
}

const ATTRIBUTES = (names: string) => `(SELECT coalesce(jsonb_agg(jsonb_build_object(
    'name', a->'name', 'dataType', a->'dataType', 'number', t.attribute_numbers->(a->>'name'))), '[]')
  FROM jsonb_array_elements(t.attributes) a WHERE ${names} IS NULL OR a->>'name' = ANY (${names}))`;

/** Finds the devices that a data query selects. */
@Injectable()
export class SelectedDevicesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the selected devices that exist and that the caller can access; throws a 400 error if there are too many.
   */
  async find(
    application: ApplicationAccess,
    selection: DeviceSelection,
    names?: readonly string[],
  ): Promise<SelectedDevice[]> {
    const values: unknown[] = [application.id, names ?? null];
    const { deviceQuery = {} } = selection;
    const following = searchResolution(this.database, application, 'query.deviceQuery');
    const followed = await resolveGroups([deviceQuery], deviceQueryFields, following);
    const { table, where, id } = selectedDevices(application.id, selection, values, { followed });
    const conditions = [
      't.application_id = $1',
      't.deleted_at IS NULL',
      where,
      reachSql(application, values),
    ];
    const text = `SELECT t.id, t.name, t.tags, ${ATTRIBUTES('$2::text[]')} FROM ${table} t
      WHERE ${conditions.join(' AND ')} ORDER BY ${id} LIMIT ${MAX_DEVICES + 1}`;
    const search = { owner: application.ownerId, parameter: 'query.deviceQuery' };
    const rows = await this.database.search({ text, values }, search);
    if (rows.length > MAX_DEVICES)
      throw new ValidationError(`query.deviceQuery selects more than ${MAX_DEVICES} devices`);
    return rows.map(([id, name, tags, attributes]) => ({
      id: id!,
      name: name!,
      tags: JSON.parse(tags!) as DeviceTag[],
      attributes: JSON.parse(attributes!) as SelectedDevice['attributes'],
    }));
  }
}
