import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceCustomNode } from './instance-custom-node.resource.js';
import { InstanceCustomNodeController } from './instance-custom-node.controller.js';
import { InstanceCustomNodesController } from './instance-custom-nodes.controller.js';
import { InstanceCustomNodesRepository } from './instance-custom-nodes.repository.js';
import { InstanceCustomNodesService } from './instance-custom-nodes.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([InstanceCustomNode])],
  controllers: [InstanceCustomNodesController, InstanceCustomNodeController],
  providers: [InstanceCustomNodesRepository, InstanceCustomNodesService],
})
export class CustomNodesModule {}
