import { Injectable } from '@nestjs/common';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import type { AuditLog, InstanceAuditLog } from './audit-log.resource.js';
import { AuditLogsRepository, type LogQuery } from './audit-logs.repository.js';

/** Reads the audit logs of organizations and instances. */
@Injectable()
export class AuditLogsService {
  constructor(private readonly logs: AuditLogsRepository) {}

  listOfOrganization(orgId: string, query: LogQuery): Promise<StoredPage<AuditLog>> {
    return this.logs.organization.page(orgId, query);
  }

  getOfOrganization(orgId: string, id: string): Promise<StoredResource<AuditLog>> {
    return this.logs.organization.obtain(orgId, id);
  }

  listOfInstance(instanceId: string, query: LogQuery): Promise<StoredPage<InstanceAuditLog>> {
    return this.logs.instance.page(instanceId, query);
  }

  getOfInstance(instanceId: string, id: string): Promise<StoredResource<InstanceAuditLog>> {
    return this.logs.instance.obtain(instanceId, id);
  }
}
