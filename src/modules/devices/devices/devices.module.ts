import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeviceTriggersModule } from '../device-triggers/device-triggers.module.js';
import { DeviceListsRepository } from './device-lists.repository.js';
import { DeviceNamesController } from './device-names.controller.js';
import { DeviceNamesRepository } from './device-names.repository.js';
import { DeviceNamesService } from './device-names.service.js';
import { DeviceController } from './device.controller.js';
import { Device } from './device.resource.js';
import { DevicesController } from './devices.controller.js';
import { DevicesRepository } from './devices.repository.js';
import { DevicesService } from './devices.service.js';
import { NewDevices } from './new-devices.js';
import { ReportingDevicesRepository } from './reporting-devices.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([Device]), DeviceTriggersModule],
  controllers: [DevicesController, DeviceNamesController, DeviceController],
  providers: [
    DeviceNamesRepository,
    DeviceNamesService,
    DeviceListsRepository,
    DevicesRepository,
    DevicesService,
    NewDevices,
    ReportingDevicesRepository,
  ],
  exports: [DeviceListsRepository, DevicesRepository, DevicesService, NewDevices, ReportingDevicesRepository],
})
export class DevicesModule {}
