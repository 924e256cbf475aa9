import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExperienceGroupController } from './experience-group.controller.js';
import { ExperienceGroup } from './experience-group.resource.js';
import { ExperienceGroupsController } from './experience-groups.controller.js';
import { ExperienceGroupsRepository } from './experience-groups.repository.js';
import { ExperienceGroupsService } from './experience-groups.service.js';
import { GroupDevicesRepository } from './group-devices.repository.js';
import { GroupLinksRepository } from './group-links.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([ExperienceGroup])],
  controllers: [ExperienceGroupsController, ExperienceGroupController],
  providers: [
    ExperienceGroupsRepository,
    ExperienceGroupsService,
    GroupDevicesRepository,
    GroupLinksRepository,
  ],
  exports: [ExperienceGroupsRepository, GroupLinksRepository],
})
export class ExperienceGroupsModule {}
