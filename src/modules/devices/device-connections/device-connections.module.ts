import { Module, type DynamicModule } from '@nestjs/common';
import { DeviceConnectionsRetention } from './device-connections-retention.js';
import { DeviceConnectionsController } from './device-connections.controller.js';
import { DeviceConnectionsRepository } from './device-connections.repository.js';
import { DeviceConnectionsService } from './device-connections.service.js';

/** Connection status of devices, and the log of their connections. */
@Module({})
export class DeviceConnectionsModule {
  static on({ runsWorker }: { runsWorker: boolean }): DynamicModule {
    return {
      module: DeviceConnectionsModule,
      controllers: [DeviceConnectionsController],
      providers: [
        DeviceConnectionsRepository,
        DeviceConnectionsService,
        ...(runsWorker ? [DeviceConnectionsRetention] : []),
      ],
    };
  }
}
