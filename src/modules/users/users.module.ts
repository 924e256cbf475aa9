import { Module } from '@nestjs/common';
import { AccountDeletionService } from './account-deletion.service.js';
import { UsersJobs } from './users.jobs.js';

@Module({
  providers: [AccountDeletionService, UsersJobs],
  exports: [AccountDeletionService],
})
export class UsersModule {}
