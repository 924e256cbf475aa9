import { Module } from '@nestjs/common';
import { DeviceConnectionsRetention } from './device-connections-retention.js';
import { DeviceConnectionsController } from './device-connections.controller.js';
import { DeviceConnectionsRepository } from './device-connections.repository.js';
import { DeviceConnectionsService } from './device-connections.service.js';

/** Connection status of devices, and the log of their connections. */
@Module({
  controllers: [DeviceConnectionsController],
  providers: [DeviceConnectionsRepository, DeviceConnectionsService, DeviceConnectionsRetention],
})
export class DeviceConnectionsModule {}
