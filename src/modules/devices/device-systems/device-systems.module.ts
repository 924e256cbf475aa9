import { Module } from '@nestjs/common';
import { DeviceSystems } from './device-systems.js';
import { DeviceSystemsRepository } from './device-systems.repository.js';

/** Systems, which report aggregated values of their child devices. */
@Module({
  providers: [DeviceSystemsRepository, DeviceSystems],
})
export class DeviceSystemsModule {}
