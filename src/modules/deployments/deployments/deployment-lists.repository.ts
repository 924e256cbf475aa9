import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { countSql } from '../../../platform/counts/counts.js';
import { Database } from '../../../platform/database/database.js';
import type { RowShape } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { runList } from '../../../platform/lists/run-list.js';
import { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { reachSql } from '../../devices/devices/device-selection.columns.js';
import { searchedBy, type DeploymentListParameters } from './deployment-filters.js';

/** How deployments of one kind are read. */
export interface DeploymentRows<T, Asked extends DeploymentListParameters = DeploymentListParameters> {
  table: 'embedded_deployments' | 'edge_deployments';
  /** Resource name in `404` messages. */
  title: string;
  shape: RowShape<T>;
  /** Name of the stored count. */
  count: string;
  /** Returns SQL conditions on `t` for filters other than the device, and appends their values. */
  conditions: (asked: Asked, values: unknown[]) => string[];
}

/** Reads the deployments of existing devices that the caller can access. */
@Injectable()
export class DeploymentListsRepository {
  constructor(private readonly database: Database) {}

  async page<T, Asked extends DeploymentListParameters>(
    { table, shape, count, conditions }: DeploymentRows<T, Asked>,
    application: ApplicationAccess,
    asked: Asked,
  ): Promise<StoredPage<T>> {
    const { id: applicationId, ownerId: owner } = application;
    const { deviceId, flowId, version, list } = asked;
    const values: unknown[] = [applicationId];
    const where = ['t.application_id = $1', 't.deleted_at IS NULL'];
    if (deviceId !== undefined) where.push(`t.device_id = $${values.push(deviceId)}`);
    where.push(...conditions(asked, values), ...reachedSql(application, values));
    const isWhole = where.length === 2;
    const { items, envelope } = await runList(this.database, shape, {
      table,
      owner,
      where,
      values,
      searchedBy: searchedBy(asked) ?? (isWhole ? undefined : 'filterEmpty'),
      list,
      total: isWhole ? countSql('$1', `'${count}'`) : undefined,
    });
    if (items.length === 0 && deviceId !== undefined) await this.assertDevice(application, deviceId);
    const { totalCount } = envelope;
    return new StoredPage(items, { totalCount, applicationId, deviceId, flowId, version });
  }

  async obtain<T>(
    { table, title, shape }: Pick<DeploymentRows<T>, 'table' | 'title' | 'shape'>,
    application: ApplicationAccess,
    id: string,
  ): Promise<StoredResource<T>> {
    const values: unknown[] = [application.id, id];
    const conditions = [
      't.application_id = $1 AND t.id = $2 AND t.deleted_at IS NULL',
      ...reachedSql(application, values),
    ];
    const text = shape.select(`FROM ${table} t WHERE ${conditions.join(' AND ')}`);
    const [row] = await this.database.read(application.devices ? { text, values } : prepared(text, values));
    if (!row) throw new NotFound(title);
    return new StoredResource(shape, row);
  }

  private async assertDevice(application: ApplicationAccess, id: string): Promise<void> {
    const values: unknown[] = [application.id, id];
    const text = `SELECT FROM devices t WHERE t.application_id = $1 AND t.id = $2 AND t.deleted_at IS NULL
      AND ${reachSql(application, values)}`;
    if ((await this.database.run({ text, values })).length === 0) throw new NotFound('Device');
  }
}

/** Returns SQL that restricts `t` to devices that the caller can access, if access is restricted. */
function reachedSql(application: ApplicationAccess, values: unknown[]): string[] {
  if (!application.devices) return [];
  return [
    `t.device_id IN (SELECT t.id FROM devices t WHERE t.application_id = $1 AND ${reachSql(application, values)})`,
  ];
}
