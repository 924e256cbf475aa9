import { Module } from '@nestjs/common';
import { InvitesModule } from '../invites/invites.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { UsersModule } from '../users/users.module.js';
import { InstanceOrgInviteController } from './instance-org-invite.controller.js';
import { InstanceOrgInvitesController } from './instance-org-invites.controller.js';
import { InstanceOrgInvitesService } from './instance-org-invites.service.js';
import { InstanceOrgMemberController } from './instance-org-member.controller.js';
import { InstanceOrgMembersController } from './instance-org-members.controller.js';
import { InstanceOrgMembersRepository } from './instance-org-members.repository.js';
import { InstanceOrgMembersService } from './instance-org-members.service.js';
import { InstanceOrgController } from './instance-org.controller.js';
import { InstanceOrgsController } from './instance-orgs.controller.js';
import { InstanceOrgsRepository } from './instance-orgs.repository.js';
import { InstanceOrgsService } from './instance-orgs.service.js';

@Module({
  imports: [OrgsModule, InvitesModule, UsersModule],
  controllers: [
    InstanceOrgsController,
    InstanceOrgController,
    InstanceOrgMembersController,
    InstanceOrgMemberController,
    InstanceOrgInvitesController,
    InstanceOrgInviteController,
  ],
  providers: [
    InstanceOrgsService,
    InstanceOrgsRepository,
    InstanceOrgMembersRepository,
    InstanceOrgMembersService,
    InstanceOrgInvitesService,
  ],
})
export class InstanceOrgsModule {}
