import { Module, type DynamicModule } from '@nestjs/common';
import { DeviceRemoval } from './device-removal.js';
import { DeviceRemovalJobs } from './device-removal.jobs.js';
import { DeviceRemovalRepository } from './device-removal.repository.js';

/** Permanent removal of deleted devices. */
@Module({})
export class DeviceRemovalModule {
  static on({ runsWorker }: { runsWorker: boolean }): DynamicModule {
    return {
      module: DeviceRemovalModule,
      providers: [DeviceRemovalRepository, DeviceRemovalJobs, ...(runsWorker ? [DeviceRemoval] : [])],
    };
  }
}
