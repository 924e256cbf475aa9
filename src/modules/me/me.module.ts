import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { MeController } from './me.controller.js';
import { MeRepository } from './me.repository.js';
import { MeService } from './me.service.js';
import { TwoFactorService } from './two-factor.service.js';

@Module({
  imports: [AuthModule],
  controllers: [MeController],
  providers: [MeService, MeRepository, TwoFactorService],
})
export class MeModule {}
