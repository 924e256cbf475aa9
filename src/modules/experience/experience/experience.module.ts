import { Module } from '@nestjs/common';
import { ExperienceEndpointsModule } from '../experience-endpoints/experience-endpoints.module.js';
import { ExperienceGroupsModule } from '../experience-groups/experience-groups.module.js';
import { ExperienceSlugsModule } from '../experience-slugs/experience-slugs.module.js';
import { ExperienceUsersModule } from '../experience-users/experience-users.module.js';
import { ExperienceVersionsModule } from '../experience-versions/experience-versions.module.js';
import { ExperienceViewsModule } from '../experience-views/experience-views.module.js';
import { FlowsModule } from '../../flows/flows/flows.module.js';
import { ExperienceBootstrapService } from './experience-bootstrap.service.js';
import { ExperienceRemovalService } from './experience-removal.service.js';
import { ExperienceController } from './experience.controller.js';
import { ExperienceRepository } from './experience.repository.js';

/** Operations on complete experiences. */
@Module({
  imports: [
    ExperienceEndpointsModule,
    ExperienceGroupsModule,
    ExperienceSlugsModule,
    ExperienceUsersModule,
    ExperienceVersionsModule,
    ExperienceViewsModule,
    FlowsModule,
  ],
  controllers: [ExperienceController],
  providers: [ExperienceRepository, ExperienceBootstrapService, ExperienceRemovalService],
})
export class ExperienceModule {}
