import { Module, type DynamicModule } from '@nestjs/common';
import { DeviceSystems } from './device-systems.js';
import { DeviceSystemsRepository } from './device-systems.repository.js';

/** Systems, which report aggregated values of their child devices. */
@Module({})
export class DeviceSystemsModule {
  static on({ runsWorker }: { runsWorker: boolean }): DynamicModule {
    return {
      module: DeviceSystemsModule,
      providers: [DeviceSystemsRepository, ...(runsWorker ? [DeviceSystems] : [])],
    };
  }
}
