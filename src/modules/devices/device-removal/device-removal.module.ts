import { Module } from '@nestjs/common';
import { DeviceRemoval } from './device-removal.js';
import { DeviceRemovalJobs } from './device-removal.jobs.js';
import { DeviceRemovalRepository } from './device-removal.repository.js';

/** Permanent removal of deleted devices. */
@Module({
  providers: [DeviceRemovalRepository, DeviceRemovalJobs, DeviceRemoval],
})
export class DeviceRemovalModule {}
