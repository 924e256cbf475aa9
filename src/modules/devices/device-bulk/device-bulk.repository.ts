import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { deviceQueryFields } from '../devices/device-query.columns.js';
import { reachSql, selectionSql, wholeSelectionSql } from '../devices/device-selection.columns.js';
import type { DeviceSelection } from '../devices/device-selection.js';
import { followGroups, paging, searching, type Following } from '../devices/followed-groups.js';

/** Why something could not be done with a device. */
export interface Fault {
  id: string;
  message: string;
}

/** The devices of a window of all that there are. */
export interface DeviceWindow {
  /** Those that are selected. */
  ids: string[];
  /** Where the next window begins; nothing after the last. */
  last?: string;
}

const QUERY = 'deviceQuery';
const WINDOW = 2_000;
const NOTE = `INSERT INTO device_bulk_faults (job_id, device_id, message)
  SELECT $1, f.id, f.message FROM unnest($2::text[], $3::text[]) f (id, message) ON CONFLICT DO NOTHING`;
const NOTED =
  'SELECT f.device_id AS id, f.message FROM device_bulk_faults f WHERE f.job_id = $1 ORDER BY f.device_id';
const OWNER = `SELECT a.id, a.owner_id, a.owner_type FROM applications a
  WHERE a.id = $1 AND a.deleted_at IS NULL`;

/** Finds the devices that an operation is for. */
@Injectable()
export class DeviceBulkRepository {
  constructor(private readonly database: Database) {}

  /** The application as it is now, for a job that acts for somebody who was let in; or 404. */
  async application(id: string): Promise<ApplicationAccess> {
    const [row] = await this.database.rows<Omit<ApplicationAccess, 'role'>>(prepared(OWNER, [id]));
    if (!row) throw new NotFound('Application');
    return { ...row, role: 'collaborate' };
  }

  /** Up to `most` devices that are selected, and one more where there are more. */
  async some(
    application: ApplicationAccess,
    selection: DeviceSelection,
    deleted: boolean,
    most: number,
  ): Promise<string[]> {
    const following = searching(this.database, application, QUERY);
    const { text, values } = await this.selected(application, selection, deleted, following);
    const statement = { text: `${text} ORDER BY t.id LIMIT ${most + 1}`, values };
    const rows = await this.database.search(statement, { owner: application.ownerId, parameter: 'query' });
    return rows.map(([id]) => id!);
  }

  /** Those of the next window, which looks at so many devices and no more: a job has time, a statement has none. */
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
    const following = paging(this.database, application.id, QUERY);
    const { text, values } = await this.selected(application, selection, deleted, following);
    const within = `${text} AND t.id = ANY ($${values.push(all)}::text[]) ORDER BY t.id`;
    const rows = await this.database.run({ text: within, values });
    return { ids: rows.map(([id]) => id!), last: all.length < WINDOW ? undefined : all.at(-1) };
  }

  /** Notes the devices that a job could not do it with. */
  async noteFaults(jobId: string, faults: readonly Fault[], transaction: Transaction): Promise<void> {
    if (faults.length === 0) return;
    const columns = [faults.map(({ id }) => id), faults.map(({ message }) => message)];
    await transaction.run(prepared(NOTE, [jobId, ...columns]));
  }

  /** Those that are noted. */
  faults(jobId: string): Promise<Fault[]> {
    return this.database.rows(prepared(NOTED, [jobId]));
  }

  private async selected(
    application: ApplicationAccess,
    selection: DeviceSelection,
    deleted: boolean,
    following: Following,
  ) {
    const followed = await followGroups([selection.deviceQuery ?? {}], deviceQueryFields, following);
    const selectedSql = following.isWhole ? wholeSelectionSql : selectionSql;
    const values: unknown[] = [application.id];
    const conditions = [
      't.application_id = $1',
      `t.deleted_at IS ${deleted ? 'NOT NULL' : 'NULL'}`,
      selectedSql(application.id, selection, values, followed),
      reachSql(application, values),
    ];
    return { text: `SELECT t.id FROM devices t WHERE ${conditions.join(' AND ')}`, values };
  }
}
