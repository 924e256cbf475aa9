import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeviceListsRepository } from './device-lists.repository.js';
import { DeviceController } from './device.controller.js';
import { Device } from './device.resource.js';
import { DevicesController } from './devices.controller.js';
import { DevicesRepository } from './devices.repository.js';
import { DevicesService } from './devices.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Device])],
  controllers: [DevicesController, DeviceController],
  providers: [DeviceListsRepository, DevicesRepository, DevicesService],
  exports: [DevicesRepository, DevicesService],
})
export class DevicesModule {}
