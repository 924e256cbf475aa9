import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstancesModule } from '../instances/instances.module.js';
import { UsersModule } from '../users/users.module.js';
import { InstanceMemberController } from './instance-member.controller.js';
import { InstanceMember } from './instance-member.resource.js';
import { InstanceMembersController } from './instance-members.controller.js';
import { InstanceMembersRepository } from './instance-members.repository.js';
import { InstanceMembersService } from './instance-members.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([InstanceMember]), InstancesModule, UsersModule],
  controllers: [InstanceMembersController, InstanceMemberController],
  providers: [InstanceMembersRepository, InstanceMembersService],
})
export class InstanceMembersModule {}
