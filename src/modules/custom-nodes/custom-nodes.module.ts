import { Module } from '@nestjs/common';
import { InstanceCustomNodeController } from './instance-custom-node.controller.js';
import { InstanceCustomNodesController } from './instance-custom-nodes.controller.js';
import { InstanceCustomNodesService } from './instance-custom-nodes.service.js';

@Module({
  controllers: [InstanceCustomNodesController, InstanceCustomNodeController],
  providers: [InstanceCustomNodesService],
})
export class CustomNodesModule {}
