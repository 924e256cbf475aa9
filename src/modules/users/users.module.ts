import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountDeletionService } from './account-deletion.service.js';
import { UsersJobs } from './users.jobs.js';
import { User } from './user.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([User])],
  providers: [AccountDeletionService, UsersJobs],
  exports: [AccountDeletionService],
})
export class UsersModule {}
