import { Module } from '@nestjs/common';
import { InstanceMemberController } from './instance-member.controller.js';
import { InstanceMembersController } from './instance-members.controller.js';
import { InstanceMembersService } from './instance-members.service.js';

@Module({
  controllers: [InstanceMembersController, InstanceMemberController],
  providers: [InstanceMembersService],
})
export class InstanceMembersModule {}
