import { Module } from '@nestjs/common';
import { DeviceStreamsModule } from '../device-streams/device-streams.module.js';
import { DeviceCommandsController } from './device-commands.controller.js';
import { DeviceCommandsJobs } from './device-commands.jobs.js';
import { DeviceCommandsRepository } from './device-commands.repository.js';
import { DeviceCommandsRetention } from './device-commands-retention.js';
import { DeviceCommandsService } from './device-commands.service.js';

/** Commands to devices, and their history. */
@Module({
  imports: [DeviceStreamsModule],
  controllers: [DeviceCommandsController],
  providers: [DeviceCommandsRepository, DeviceCommandsService, DeviceCommandsJobs, DeviceCommandsRetention],
})
export class DeviceCommandsModule {}
