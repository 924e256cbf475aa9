import { Module } from '@nestjs/common';
import { InstanceMemberController } from './instance-member.controller.js';
import { InstanceMembersController } from './instance-members.controller.js';
import { InstanceMembersService } from './instance-members.service.js';
import { InstanceController } from './instance.controller.js';
import { InstancesController } from './instances.controller.js';
import { InstancesRepository } from './instances.repository.js';
import { InstancesService } from './instances.service.js';

@Module({
  controllers: [InstancesController, InstanceController, InstanceMembersController, InstanceMemberController],
  providers: [InstancesService, InstancesRepository, InstanceMembersService],
})
export class InstancesModule {}
