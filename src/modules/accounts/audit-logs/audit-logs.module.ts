import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLog, InstanceAuditLog } from './audit-log.resource.js';
import { AuditLogRetention } from './audit-log-retention.js';
import { AuditLogsController } from './audit-logs.controller.js';
import { AuditLogsRepository } from './audit-logs.repository.js';
import { AuditLogsService } from './audit-logs.service.js';
import { InstanceAuditLogsController } from './instance-audit-logs.controller.js';

/** Audit logs of organizations and instances. Every process can read them; workers remove expired entries. */
@Module({})
export class AuditLogsModule {
  static on({ runsWorker }: { runsWorker: boolean }): DynamicModule {
    return {
      module: AuditLogsModule,
      imports: [TypeOrmModule.forFeature([AuditLog, InstanceAuditLog])],
      controllers: [AuditLogsController, InstanceAuditLogsController],
      providers: [AuditLogsRepository, AuditLogsService, ...(runsWorker ? [AuditLogRetention] : [])],
    };
  }
}
