import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceController } from './instance.controller.js';
import { Instance } from './instance.resource.js';
import { InstancesController } from './instances.controller.js';
import { InstancesRepository } from './instances.repository.js';
import { InstancesService } from './instances.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Instance])],
  controllers: [InstancesController, InstanceController],
  providers: [InstancesRepository, InstancesService],
  exports: [InstancesRepository],
})
export class InstancesModule {}
