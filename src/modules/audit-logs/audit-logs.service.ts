import { Injectable, type Type } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { RowShape } from '../../platform/database/row-shape.js';
import { prepared } from '../../platform/database/statements.js';
import { NotFound } from '../../platform/errors/errors.js';
import type { ListParameters } from '../../platform/list/list-query.js';
import { runList } from '../../platform/list/run-list.js';
import { Stored, StoredPage } from '../../platform/response/answers.js';
import { filterCondition } from './audit-log.filter.js';
import { AuditLog, InstanceAuditLog } from './audit-log.resource.js';

/** What a log can be asked for. */
export interface LogQuery {
  list: ListParameters;
  start?: Date;
  end?: Date;
  auditLogFilter?: object;
}

/** The logs of organizations and instances. They are only read here: an entry is written by the change it tells of. */
@Injectable()
export class AuditLogsService {
  private readonly organizations: Log<AuditLog>;
  private readonly instances: Log<InstanceAuditLog>;

  constructor(database: Database) {
    this.organizations = new Log(database, AuditLog, 'audit_logs', 'org_id');
    this.instances = new Log(database, InstanceAuditLog, 'instance_audit_logs', 'instance_id');
  }

  async listOfOrganization(orgId: string, query: LogQuery): Promise<StoredPage<AuditLog>> {
    const { items, envelope } = await this.organizations.page(orgId, query);
    return new StoredPage(items, { ...envelope, orgId });
  }

  getOfOrganization(orgId: string, id: string): Promise<Stored<AuditLog>> {
    return this.organizations.obtain(orgId, id);
  }

  async listOfInstance(instanceId: string, query: LogQuery): Promise<StoredPage<InstanceAuditLog>> {
    const { items, envelope } = await this.instances.page(instanceId, query);
    return new StoredPage(items, { ...envelope, instanceId });
  }

  getOfInstance(instanceId: string, id: string): Promise<Stored<InstanceAuditLog>> {
    return this.instances.obtain(instanceId, id);
  }
}

/** The entries of one kind of log, each reached through whose log it stands in. */
class Log<T> {
  private readonly shape: RowShape<T>;
  private readonly byId: string;

  constructor(
    private readonly database: Database,
    type: Type<T>,
    private readonly table: string,
    private readonly owner: string,
  ) {
    this.shape = new RowShape(type);
    this.byId = `FROM ${table} t WHERE t.${owner} = $1 AND t.id = $2`;
  }

  page(ownerId: string, { list, start, end, auditLogFilter }: LogQuery): Promise<StoredPage<T>> {
    const values: unknown[] = [ownerId];
    const where = [`t.${this.owner} = $1`];
    if (start) where.push(`t.creation_date >= $${values.push(start)}`);
    if (end) where.push(`t.creation_date < $${values.push(end)}`);
    if (auditLogFilter) where.push(filterCondition(`$${values.push(JSON.stringify(auditLogFilter))}`));
    return runList(this.database, this.shape, { table: this.table, where, values, list });
  }

  async obtain(ownerId: string, id: string): Promise<Stored<T>> {
    const [row] = await this.database.run(prepared(this.shape.select(this.byId), [ownerId, id]));
    if (!row) throw new NotFound('Audit log');
    return new Stored(this.shape, row);
  }
}
