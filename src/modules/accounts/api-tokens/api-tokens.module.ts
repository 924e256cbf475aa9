import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiToken } from './api-token.resource.js';
import { ApiTokensRepository } from './api-tokens.repository.js';
import { ApiTokensService } from './api-tokens.service.js';
import { ApplicationApiTokensController } from './application-api-tokens.controller.js';
import { InstanceApiTokensController } from './instance-api-tokens.controller.js';
import { UserApiTokensController } from './user-api-tokens.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiToken])],
  controllers: [UserApiTokensController, ApplicationApiTokensController, InstanceApiTokensController],
  providers: [ApiTokensRepository, ApiTokensService],
})
export class ApiTokensModule {}
