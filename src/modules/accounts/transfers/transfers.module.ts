import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../../applications/applications/applications.module.js';
import { ExperienceDomainsModule } from '../../experience/experience-domains/experience-domains.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { TransfersController } from './transfers.controller.js';
import { TransfersService } from './transfers.service.js';

@Module({
  imports: [ApplicationsModule, ExperienceDomainsModule, OrgsModule],
  controllers: [TransfersController],
  providers: [TransfersService],
})
export class TransfersModule {}
