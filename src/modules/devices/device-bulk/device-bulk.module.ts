import { Module } from '@nestjs/common';
import { DevicesModule } from '../devices/devices.module.js';
import { DeviceBulkController } from './device-bulk.controller.js';
import { DeviceBulkJobs } from './device-bulk.jobs.js';
import { DeviceBulkOperations } from './device-bulk.operations.js';
import { DeviceBulkRepository } from './device-bulk.repository.js';
import { DeviceBulkService } from './device-bulk.service.js';

/** Bulk operations on devices. */
@Module({
  imports: [DevicesModule],
  controllers: [DeviceBulkController],
  providers: [DeviceBulkJobs, DeviceBulkOperations, DeviceBulkRepository, DeviceBulkService],
})
export class DeviceBulkModule {}
