import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AUDIT_LOG_COUNT } from '../../../platform/audit/audit.js';
import { countSql } from '../../../platform/counts/counts.js';
import { Database } from '../../../platform/database/database.js';
import { columnName } from '../../../platform/database/naming.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runList } from '../../../platform/lists/run-list.js';
import { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { filterCondition } from './audit-log.columns.js';
import { AuditLog, InstanceAuditLog } from './audit-log.resource.js';

/** Parameters for querying a log. */
export interface LogQuery {
  list: ListParameters;
  start?: Date;
  end?: Date;
  auditLogFilter?: object;
}

/** Repository of the logs of one type of owner. `scope` is the property with the ID of the owner. */
class LogEntries<T extends object> {
  private readonly shape: RowShape<T>;
  private readonly table: string;
  private readonly mine: string;

  constructor(
    rows: Repository<T>,
    private readonly database: Database,
    private readonly scope: keyof T & string,
  ) {
    this.shape = new RowShape(rows.target as new () => T);
    this.table = rows.metadata.tableName;
    this.mine = `t.${columnName(scope)} = $1`;
  }

  async page(ownerId: string, { list, start, end, auditLogFilter }: LogQuery): Promise<StoredPage<T>> {
    const values: unknown[] = [ownerId];
    const where = [this.mine];
    if (start) where.push(`t.creation_date >= $${values.push(start)}`);
    if (end) where.push(`t.creation_date < $${values.push(end)}`);
    if (auditLogFilter) where.push(filterCondition(`$${values.push(JSON.stringify(auditLogFilter))}`));
    const page = await runList(this.database, this.shape, {
      table: this.table,
      owner: ownerId,
      where,
      values,
      searchedBy: auditLogFilter && 'auditLogFilter',
      list,
      total: where.length === 1 ? countSql('$1', `'${AUDIT_LOG_COUNT}'`) : undefined,
    });
    return new StoredPage(page.items, { ...page.envelope, [this.scope]: ownerId });
  }

  /** Returns the entry. Throws 404 if it does not exist. */
  async obtain(ownerId: string, id: string): Promise<StoredResource<T>> {
    const text = this.shape.select(`FROM ${this.table} t WHERE ${this.mine} AND t.id = $2`);
    const [row] = await this.database.run(prepared(text, [ownerId, id]));
    if (!row) throw new NotFound('Audit log');
    return new StoredResource(this.shape, row);
  }
}

/**
 * Repositories of audit log entries, by type of owner. They are read-only: an entry is written by the change that it
 * records.
 */
@Injectable()
export class AuditLogsRepository {
  readonly organization: LogEntries<AuditLog>;
  readonly instance: LogEntries<InstanceAuditLog>;

  constructor(
    @InjectRepository(AuditLog) ofOrganizations: Repository<AuditLog>,
    @InjectRepository(InstanceAuditLog) ofInstances: Repository<InstanceAuditLog>,
    database: Database,
  ) {
    this.organization = new LogEntries(ofOrganizations, database, 'orgId');
    this.instance = new LogEntries(ofInstances, database, 'instanceId');
  }
}
