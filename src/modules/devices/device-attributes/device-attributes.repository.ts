import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database } from '../../../platform/database/database.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { globToLike } from '../../../platform/lists/glob.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { reachSql } from '../devices/device-selection.columns.js';
import { DEVICES } from '../devices/device.resource.js';
import type { StoredAttribute } from '../devices/device.schemas.js';

/** Reads the attributes stored in device rows. */
@Injectable()
export class DeviceAttributesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the attributes of a device that match a list query, in its order; throws a 404 error if the caller has no
   * access to the device.
   */
  async list(
    application: ApplicationAccess,
    deviceId: string,
    { sortField, sortDirection, filterField, filter }: ListParameters,
  ): Promise<StoredAttribute[]> {
    const values: unknown[] = [application.id, deviceId, sortField];
    const matches =
      filter === undefined
        ? 'true'
        : `a->>$${values.push(filterField)} ILIKE $${values.push(globToLike(filter))} ESCAPE '\\'`;
    const [row] = await this.database.rows<{ attributes: StoredAttribute[] | null }>({
      text: `SELECT (SELECT jsonb_agg(a ORDER BY a->>$3 ${sortDirection}, a->>'name' ${sortDirection})
          FROM jsonb_array_elements(t.attributes) a WHERE ${matches}) AS attributes
        FROM devices t
        WHERE t.application_id = $1 AND t.id = $2 AND t.deleted_at IS NULL AND ${reachSql(application, values)}`,
      values,
    });
    if (!row) throw new NotFound(DEVICES.title);
    return row.attributes ?? [];
  }
}
