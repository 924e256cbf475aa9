import { Module } from '@nestjs/common';
import { DevicesModule } from '../devices/devices.module.js';
import { DataController } from './data.controller.js';
import { DataService } from './data.service.js';
import { DeviceDataController } from './device-data.controller.js';
import { DeviceDataService } from './device-data.service.js';
import { DeviceSeriesRepository } from './device-series.repository.js';
import { DeviceValuesRepository } from './device-values.repository.js';
import { DevicesDataController } from './devices-data.controller.js';
import { SelectedDevicesRepository } from './selected-devices.repository.js';

/** Stored data of devices: reports, newest values, time series. */
@Module({
  imports: [DevicesModule],
  controllers: [DataController, DevicesDataController, DeviceDataController],
  providers: [
    DataService,
    DeviceDataService,
    DeviceSeriesRepository,
    DeviceValuesRepository,
    SelectedDevicesRepository,
  ],
})
export class DeviceDataModule {}
