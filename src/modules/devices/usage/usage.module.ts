import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../../applications/applications/applications.module.js';
import { DevicesModule } from '../devices/devices.module.js';
import { ApplicationUsageController } from './application-usage.controller.js';
import { DeviceUsageController } from './device-usage.controller.js';
import { DeviceUsageService } from './device-usage.service.js';
import { InstanceOrgUsageController } from './instance-org-usage.controller.js';
import { InstanceUsageController } from './instance-usage.controller.js';
import { MyUsageController } from './my-usage.controller.js';
import { OrgUsageController } from './org-usage.controller.js';
import { PeriodSummariesController } from './period-summaries.controller.js';
import { PeriodSummariesService } from './period-summaries.service.js';
import { HistoricalSummariesRecorder } from './historical-summaries-recorder.js';
import { HistoricalSummariesRepository } from './historical-summaries.repository.js';
import { HistoricalSummariesService } from './historical-summaries.service.js';
import {
  HistoricalSummariesRetention,
  PayloadDaysRetention,
  PayloadHoursRetention,
} from './usage-retention.js';
import { UsageRepository } from './usage.repository.js';
import { UsageService } from './usage.service.js';

/** Usage of applications, owners and instances over time: payloads, devices and notebook minutes. */
@Module({
  imports: [ApplicationsModule, DevicesModule],
  controllers: [
    ApplicationUsageController,
    DeviceUsageController,
    PeriodSummariesController,
    MyUsageController,
    OrgUsageController,
    InstanceUsageController,
    InstanceOrgUsageController,
  ],
  providers: [
    UsageRepository,
    UsageService,
    DeviceUsageService,
    PeriodSummariesService,
    HistoricalSummariesRepository,
    HistoricalSummariesService,
    PayloadHoursRetention,
    PayloadDaysRetention,
    HistoricalSummariesRecorder,
    HistoricalSummariesRetention,
  ],
  exports: [DeviceUsageService, HistoricalSummariesRepository, UsageRepository, UsageService],
})
export class UsageModule {}
