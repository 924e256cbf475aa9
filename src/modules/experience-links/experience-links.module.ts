import { Module } from '@nestjs/common';
import { ExperienceVersionsModule } from '../experience-versions/experience-versions.module.js';
import { ExperienceViewsModule } from '../experience-views/experience-views.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { ExperienceLinksRepository } from './experience-links.repository.js';
import { ExperienceLinksService } from './experience-links.service.js';
import { ViewLinksController } from './view-links.controller.js';

@Module({
  imports: [ExperienceVersionsModule, ExperienceViewsModule, FlowsModule],
  controllers: [ViewLinksController],
import { ExperienceEndpointsModule } from '../experience-endpoints/experience-endpoints.module.js';
import { ExperienceVersionsModule } from '../experience-versions/experience-versions.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { EndpointLinksController } from './endpoint-links.controller.js';
import { ExperienceLinksRepository } from './experience-links.repository.js';
import { ExperienceLinksService } from './experience-links.service.js';

/** What parts of experiences hang together with. */
@Module({
  imports: [ExperienceEndpointsModule, ExperienceVersionsModule, FlowsModule],
  controllers: [EndpointLinksController],
  providers: [ExperienceLinksRepository, ExperienceLinksService],
})
export class ExperienceLinksModule {}
