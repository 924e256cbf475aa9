import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { deviceQueryFields } from '../devices/device-query.columns.js';
import {
  devicesWithIds,
  reachSql,
  selectedDevices,
  selectionSql,
} from '../devices/device-selection.columns.js';
import type { DeviceSelection } from '../devices/device-selection.js';
import { resolveGroups, pageResolution, searchResolution } from '../devices/resolved-groups.js';

/** Reason why a device could not be processed. */
export interface DeviceFailure {
  id: string;
  message: string;
}

/** Selected devices of one window of all devices. */
export interface DeviceWindow {
  /** IDs of the selected devices in the window. */
  ids: string[];
  /** Cursor for the next window; `undefined` after the last one. */
  last?: string;
}

const QUERY = 'deviceQuery';
const WINDOW = 2_000;
const RECORD_FAULTS = `INSERT INTO device_bulk_faults (job_id, device_id, message)
  SELECT $1, f.id, f.message FROM unnest($2::text[], $3::text[]) f (id, message) ON CONFLICT DO NOTHING`;
const FIND_FAULTS =
  'SELECT f.device_id AS id, f.message FROM device_bulk_faults f WHERE f.job_id = $1 ORDER BY f.device_id';
const OWNER = `SELECT a.id, a.owner_id, a.owner_type FROM applications a
  WHERE a.id = $1 AND a.deleted_at IS NULL`;

/** Finds the devices of a bulk operation. */
@Injectable()
export class DeviceBulkRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the current application for a job whose caller was already authorized; throws a 404 error if it does not
   * exist.
   */
  async application(id: string): Promise<ApplicationAccess> {
    const [row] = await this.database.rows<Omit<ApplicationAccess, 'role'>>(prepared(OWNER, [id]));
    if (!row) throw new NotFound('Application');
    return { ...row, role: 'collaborate' };
  }

  /** Returns up to `max` selected devices, plus one if there are more. */
  async some(
    application: ApplicationAccess,
    selection: DeviceSelection,
    deleted: boolean,
    max: number,
  ): Promise<string[]> {
    const following = searchResolution(this.database, application, QUERY);
    const followed = await resolveGroups([selection.deviceQuery ?? {}], deviceQueryFields, following);
    const values: unknown[] = [application.id];
    const { table, where, id } = selectedDevices(application.id, selection, values, { followed });
    const text = `SELECT t.id FROM ${table} t WHERE ${ownSql(application, deleted, values)} AND ${where}
      ORDER BY ${id} LIMIT ${max + 1}`;
    const statement = { text, values };
    const rows = await this.database.search(statement, { owner: application.ownerId, parameter: 'query' });
    return rows.map(([found]) => found!);
  }

  /**
   * Returns the selected devices of the next window. A window examines a limited number of devices: a job has time, a
   * single statement has not.
   */
  async window(
    application: ApplicationAccess,
    selection: DeviceSelection,
    deleted: boolean,
    after: string,
  ): Promise<DeviceWindow> {
    const next = `SELECT d.id FROM devices d WHERE d.application_id = $1 AND d.id > $2 AND d.deleted_at IS ${
      deleted ? 'NOT NULL' : 'NULL'
    } ORDER BY d.id LIMIT ${WINDOW}`;
    const all = (await this.database.run({ text: next, values: [application.id, after] })).map(([id]) => id!);
    if (all.length === 0) return { ids: [] };
    const following = pageResolution(this.database, application.id, QUERY);
    const followed = await resolveGroups([selection.deviceQuery ?? {}], deviceQueryFields, following);
    const values: unknown[] = [application.id, all];
    const text = `SELECT t.id FROM ${devicesWithIds('SELECT unnest($2::text[])')} t
      WHERE ${ownSql(application, deleted, values)} AND ${selectionSql(selection, values, followed)} ORDER BY t.found_id`;
    const rows = await this.database.run({ text, values });
    return { ids: rows.map(([id]) => id!), last: all.length < WINDOW ? undefined : all.at(-1) };
  }

  /** Stores the devices that a job could not process. */
  async recordFaults(
    jobId: string,
    faults: readonly DeviceFailure[],
    transaction: Transaction,
  ): Promise<void> {
    if (faults.length === 0) return;
    const columns = [faults.map(({ id }) => id), faults.map(({ message }) => message)];
    await transaction.run(prepared(RECORD_FAULTS, [jobId, ...columns]));
  }

  /** Returns the stored faults of a job. */
  faults(jobId: string): Promise<DeviceFailure[]> {
    return this.database.rows(prepared(FIND_FAULTS, [jobId]));
  }
}

/** Returns the condition that a device `t` belongs to the application `$1` and that the caller can access it. */
const ownSql = (application: ApplicationAccess, deleted: boolean, values: unknown[]): string =>
  `t.application_id = $1 AND t.deleted_at IS ${deleted ? 'NOT NULL' : 'NULL'} AND ${reachSql(application, values)}`;
