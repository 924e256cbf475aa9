import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExperienceGroupsModule } from '../experience-groups/experience-groups.module.js';
import { ExperienceSignIns } from './experience-sign-ins.js';
import { ExperienceSignInsRepository } from './experience-sign-ins.repository.js';
import { ExperienceTokens } from './experience-tokens.js';
import { ExperienceUserController } from './experience-user.controller.js';
import { ExperienceUser } from './experience-user.resource.js';
import { ExperienceUsersController } from './experience-users.controller.js';
import { ExperienceUsersRepository } from './experience-users.repository.js';
import { ExperienceUsersService } from './experience-users.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ExperienceUser]), ExperienceGroupsModule],
  controllers: [ExperienceUsersController, ExperienceUserController],
  providers: [
    ExperienceSignIns,
    ExperienceSignInsRepository,
    ExperienceTokens,
    ExperienceUsersRepository,
    ExperienceUsersService,
  ],
  exports: [ExperienceSignIns, ExperienceTokens, ExperienceUsersRepository],
})
export class ExperienceUsersModule {}
