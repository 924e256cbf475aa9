import { Module } from '@nestjs/common';
import { UserApiTokensController } from './user-api-tokens.controller.js';
import { UserApiTokensService } from './user-api-tokens.service.js';

@Module({
  controllers: [UserApiTokensController],
  providers: [UserApiTokensService],
})
export class ApiTokensModule {}
