import { Global, Module } from '@nestjs/common';
import { DevicesModule } from '../devices/devices.module.js';
import { DeviceDataRetention } from './device-data-retention.js';
import { DeviceHoursAggregator } from './device-hours-aggregator.js';
import { DeviceHoursRepository } from './device-hours.repository.js';
import { DevicePartitionsRepository } from './device-partitions.repository.js';
import { DevicePointsRepository } from './device-points.repository.js';
import { DeviceReportController } from './device-report.controller.js';
import { DeviceReportService } from './device-report.service.js';
import { DeviceReports } from './device-reports.js';

/** Stored reports of devices and their hourly sums. Global, because many modules read or delete them. */
@Global()
@Module({
  imports: [DevicesModule],
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
  exports: [DeviceHoursRepository, DevicePointsRepository, DeviceReports],
})
export class DeviceStateModule {}
