import { Module, type DynamicModule } from '@nestjs/common';
import { DeviceSystems } from './device-systems.js';
import { DeviceSystemsRepository } from './device-systems.repository.js';

/** Systems, which report what the devices below them add up to. */
@Module({})
export class DeviceSystemsModule {
  static on({ runsWorker }: { runsWorker: boolean }): DynamicModule {
    return {
      module: DeviceSystemsModule,
      providers: [DeviceSystemsRepository, ...(runsWorker ? [DeviceSystems] : [])],
    };
  }
}
