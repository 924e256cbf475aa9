import { Module } from '@nestjs/common';
import { DeviceStateModule } from '../device-state/device-state.module.js';
import { DeviceSystems } from './device-systems.js';
import { DeviceSystemsRepository } from './device-systems.repository.js';

/** Systems, which report aggregated values of their child devices. */
@Module({
  imports: [DeviceStateModule],
  providers: [DeviceSystemsRepository, DeviceSystems],
})
export class DeviceSystemsModule {}
