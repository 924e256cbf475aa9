import { Module } from '@nestjs/common';
import { ApiTokensService } from './api-tokens.service.js';
import { ApplicationApiTokensController } from './application-api-tokens.controller.js';
import { InstanceApiTokensController } from './instance-api-tokens.controller.js';
import { UserApiTokensController } from './user-api-tokens.controller.js';

@Module({
  controllers: [UserApiTokensController, ApplicationApiTokensController, InstanceApiTokensController],
  providers: [ApiTokensService],
})
export class ApiTokensModule {}
