import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { UsersModule } from '../users/users.module.js';
import { InviteAnswersRepository } from './invite-answers.repository.js';
import { InviteAnswersService } from './invite-answers.service.js';
import { InviteThrottle } from './invite-throttle.js';
import { InvitesController } from './invites.controller.js';
import { InvitesService } from './invites.service.js';
import { OrgInvitesController } from './org-invites.controller.js';

@Module({
  imports: [AuthModule, OrgsModule, UsersModule],
  controllers: [InvitesController, OrgInvitesController],
  providers: [InviteAnswersRepository, InviteAnswersService, InvitesService, InviteThrottle],
  exports: [InvitesService, InviteAnswersService],
})
export class InvitesModule {}
