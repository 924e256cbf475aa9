import { Module } from '@nestjs/common';
import { DeviceTriggersModule } from '../device-triggers/device-triggers.module.js';
import { DeviceConnectionsRetention } from './device-connections-retention.js';
import { DeviceConnectionsController } from './device-connections.controller.js';
import { DeviceConnectionsRepository } from './device-connections.repository.js';
import { DeviceConnectionsService } from './device-connections.service.js';

/** Connection status of devices, and the log of their connections. */
@Module({
  imports: [DeviceTriggersModule],
  controllers: [DeviceConnectionsController],
  providers: [DeviceConnectionsRepository, DeviceConnectionsService, DeviceConnectionsRetention],
})
export class DeviceConnectionsModule {}
