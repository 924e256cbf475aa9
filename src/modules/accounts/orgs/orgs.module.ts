import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstancesModule } from '../instances/instances.module.js';
import { UsersModule } from '../users/users.module.js';
import { OrgController } from './org.controller.js';
import { OrgInvite } from './org-invite.resource.js';
import { OrgInvitesRepository } from './org-invites.repository.js';
import { OrgMemberController } from './org-member.controller.js';
import { OrgMembersRepository } from './org-members.repository.js';
import { OrgMembersService } from './org-members.service.js';
import { Org, OrgMember } from './org.resource.js';
import { OrgsController } from './orgs.controller.js';
import { OrgsJobs } from './orgs.jobs.js';
import { OrgsRepository } from './orgs.repository.js';
import { OrgsService } from './orgs.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Org, OrgInvite, OrgMember]), InstancesModule, UsersModule],
  controllers: [OrgsController, OrgController, OrgMemberController],
  providers: [
    OrgInvitesRepository,
    OrgMembersRepository,
    OrgMembersService,
    OrgsJobs,
    OrgsRepository,
    OrgsService,
  ],
  exports: [OrgInvitesRepository, OrgMembersRepository, OrgMembersService, OrgsRepository, OrgsService],
})
export class OrgsModule {}
