import { Module } from '@nestjs/common';
import { DevicesModule } from '../devices/devices.module.js';
import { DeviceAttributeController } from './device-attribute.controller.js';
import { DeviceAttributesController } from './device-attributes.controller.js';
import { DeviceAttributesRepository } from './device-attributes.repository.js';
import { DeviceAttributesService } from './device-attributes.service.js';

@Module({
  imports: [DevicesModule],
  controllers: [DeviceAttributesController, DeviceAttributeController],
  providers: [DeviceAttributesRepository, DeviceAttributesService],
})
export class DeviceAttributesModule {}
