import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../../applications/applications/applications.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { TransfersController } from './transfers.controller.js';
import { TransfersService } from './transfers.service.js';

@Module({
  imports: [ApplicationsModule, OrgsModule],
  controllers: [TransfersController],
  providers: [TransfersService],
})
export class TransfersModule {}
