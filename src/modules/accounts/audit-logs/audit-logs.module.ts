import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLog, InstanceAuditLog } from './audit-log.resource.js';
import { AuditLogRetention } from './audit-log-retention.js';
import { AuditLogsController } from './audit-logs.controller.js';
import { AuditLogsRepository } from './audit-logs.repository.js';
import { AuditLogsService } from './audit-logs.service.js';
import { InstanceAuditLogsController } from './instance-audit-logs.controller.js';

/** Audit logs of organizations and instances. Every process can read them; workers remove expired entries. */
@Module({
  imports: [TypeOrmModule.forFeature([AuditLog, InstanceAuditLog])],
  controllers: [AuditLogsController, InstanceAuditLogsController],
  providers: [AuditLogsRepository, AuditLogsService, AuditLogRetention],
})
export class AuditLogsModule {}
