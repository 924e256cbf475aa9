import { Module, type DynamicModule } from '@nestjs/common';
import { DeviceCommandsController } from './device-commands.controller.js';
import { DeviceCommandsJobs } from './device-commands.jobs.js';
import { DeviceCommandsRepository } from './device-commands.repository.js';
import { DeviceCommandsRetention } from './device-commands-retention.js';
import { DeviceCommandsService } from './device-commands.service.js';

/** Commands to devices, and their history. */
@Module({})
export class DeviceCommandsModule {
  static on({ runsWorker }: { runsWorker: boolean }): DynamicModule {
    return {
      module: DeviceCommandsModule,
      controllers: [DeviceCommandsController],
      providers: [
        DeviceCommandsRepository,
        DeviceCommandsService,
        DeviceCommandsJobs,
        ...(runsWorker ? [DeviceCommandsRetention] : []),
      ],
    };
  }
}
