import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountDeletionService } from './account-deletion.service.js';
import { UsersJobs } from './users.jobs.js';
import { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([User])],
  providers: [UsersRepository, AccountDeletionService, UsersJobs],
  exports: [AccountDeletionService, UsersRepository],
})
export class UsersModule {}
