import { Module } from '@nestjs/common';
import { DeviceStreamsModule } from '../device-streams/device-streams.module.js';
import { DeviceTriggersModule } from '../device-triggers/device-triggers.module.js';
import { DevicesModule } from '../devices/devices.module.js';
import { DeviceDataRetention } from './device-data-retention.js';
import { DeviceHoursAggregator } from './device-hours-aggregator.js';
import { DeviceHoursRepository } from './device-hours.repository.js';
import { DevicePartitionsRepository } from './device-partitions.repository.js';
import { DevicePointsRepository } from './device-points.repository.js';
import { DeviceReportController } from './device-report.controller.js';
import { DeviceReportService } from './device-report.service.js';
import { DeviceReports } from './device-reports.js';

/** Stored reports of devices and their hourly sums. */
@Module({
  imports: [DevicesModule, DeviceStreamsModule, DeviceTriggersModule],
  controllers: [DeviceReportController],
  providers: [
    DeviceHoursRepository,
    DevicePartitionsRepository,
    DevicePointsRepository,
    DeviceReports,
    DeviceReportService,
    DeviceDataRetention,
    DeviceHoursAggregator,
  ],
  exports: [DevicePointsRepository, DeviceReports],
})
export class DeviceStateModule {}
