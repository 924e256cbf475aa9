import { Module } from '@nestjs/common';
import { InstanceController } from './instance.controller.js';
import { InstancesController } from './instances.controller.js';
import { InstancesRepository } from './instances.repository.js';
import { InstancesService } from './instances.service.js';

@Module({
  controllers: [InstancesController, InstanceController],
  providers: [InstancesService, InstancesRepository],
})
export class InstancesModule {}
