import { Module } from '@nestjs/common';
import { UsageModule } from '../../devices/usage/usage.module.js';
import { InstancesModule } from '../instances/instances.module.js';
import { UsageReportJob } from './usage-report.job.js';
import { UsageReportsController } from './usage-reports.controller.js';
import { UsageReportsService } from './usage-reports.service.js';

/** Usage reports of instances. */
@Module({
  imports: [InstancesModule, UsageModule],
  controllers: [UsageReportsController],
  providers: [UsageReportJob, UsageReportsService],
})
export class UsageReportsModule {}
