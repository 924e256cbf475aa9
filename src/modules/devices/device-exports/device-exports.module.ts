import { Module } from '@nestjs/common';
import { DeviceStateModule } from '../device-state/device-state.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { DataExportJob } from './data-export.job.js';
import { DataExportController } from './data-export.controller.js';
import { DataRemovalJob } from './data-removal.job.js';
import { DataRemovalService } from './data-removal.service.js';
import { DeviceDataController, DevicesDataController } from './data-removal.controller.js';
import {
  DeviceExportController,
  DevicesExportController,
  DevicesPayloadsController,
} from './device-exports.controller.js';
import { DeviceDataLines } from './device-data-lines.js';
import { DeviceExportsService } from './device-exports.service.js';
import { ExportTurnsRepository } from './export-turns.repository.js';
import { ListExportJob } from './list-export.job.js';
import { RemovedHistoryRepository } from './removed-history.repository.js';
import { ExportedDevicesRepository } from './exported-devices.repository.js';
import { PayloadsExportJob } from './payloads-export.job.js';

/** Exports of devices and their data, and deletion of data. */
@Module({
  imports: [DeviceStateModule, UsageModule],
  controllers: [
    DataExportController,
    DeviceExportController,
    DevicesExportController,
    DevicesPayloadsController,
    DeviceDataController,
    DevicesDataController,
  ],
  providers: [
    DataExportJob,
    DataRemovalJob,
    DataRemovalService,
    ListExportJob,
    PayloadsExportJob,
    DeviceDataLines,
    DeviceExportsService,
    ExportTurnsRepository,
    ExportedDevicesRepository,
    RemovedHistoryRepository,
  ],
  exports: [DeviceDataLines, ExportedDevicesRepository, ExportTurnsRepository],
})
export class DeviceExportsModule {}
