import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { InvitesModule } from '../invites/invites.module.js';
import { UsersModule } from '../users/users.module.js';
import { MeController } from './me.controller.js';
import { MeRepository } from './me.repository.js';
import { MeService } from './me.service.js';
import { MyInvitesController } from './my-invites.controller.js';
import { RecentItemsController } from './recent-items.controller.js';
import { RecentItemsRepository } from './recent-items.repository.js';
import { RecentItemsService } from './recent-items.service.js';
import { TwoFactorService } from './two-factor.service.js';

@Module({
  imports: [AuthModule, InvitesModule, UsersModule],
  controllers: [MeController, MyInvitesController, RecentItemsController],
  providers: [MeRepository, MeService, RecentItemsRepository, RecentItemsService, TwoFactorService],
})
export class MeModule {}
