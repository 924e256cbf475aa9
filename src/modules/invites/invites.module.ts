import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { InviteAnswersService } from './invite-answers.service.js';
import { InvitesController } from './invites.controller.js';
import { InvitesService } from './invites.service.js';
import { OrgInvitesController } from './org-invites.controller.js';

@Module({
  imports: [AuthModule, OrgsModule],
  controllers: [InvitesController, OrgInvitesController],
  providers: [InvitesService, InviteAnswersService],
  exports: [InvitesService, InviteAnswersService],
})
export class InvitesModule {}
