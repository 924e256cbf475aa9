import { Module, type DynamicModule } from '@nestjs/common';
import { DeviceRemoval } from './device-removal.js';
import { DeviceRemovalJobs } from './device-removal.jobs.js';
import { DeviceRemovalRepository } from './device-removal.repository.js';

/** The end of devices that were deleted. */
@Module({})
export class DeviceRemovalModule {
  static on({ runsWorker }: { runsWorker: boolean }): DynamicModule {
    return {
      module: DeviceRemovalModule,
      providers: [DeviceRemovalRepository, DeviceRemovalJobs, ...(runsWorker ? [DeviceRemoval] : [])],
    };
  }
}
