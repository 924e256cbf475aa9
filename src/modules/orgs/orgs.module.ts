import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgController } from './org.controller.js';
import { OrgMemberController } from './org-member.controller.js';
import { OrgMembersService } from './org-members.service.js';
import { OrgsController } from './orgs.controller.js';
import { OrgsJobs } from './orgs.jobs.js';
import { OrgsRepository } from './orgs.repository.js';
import { OrgsService } from './orgs.service.js';
import { Org } from './org.resource.js';

@Module({
  imports: [TypeOrmModule.forFeature([Org])],
  controllers: [OrgsController, OrgController, OrgMemberController],
  providers: [OrgsService, OrgsRepository, OrgsJobs, OrgMembersService],
  exports: [OrgMembersService, OrgsRepository, OrgsService],
})
export class OrgsModule {}
