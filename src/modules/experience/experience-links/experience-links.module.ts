import { Module } from '@nestjs/common';
import { ExperienceEndpointsModule } from '../experience-endpoints/experience-endpoints.module.js';
import { ExperienceVersionsModule } from '../experience-versions/experience-versions.module.js';
import { ExperienceViewsModule } from '../experience-views/experience-views.module.js';
import { FlowsModule } from '../../flows/flows/flows.module.js';
import { EndpointLinksController } from './endpoint-links.controller.js';
import { EndpointLinksRepository } from './endpoint-links.repository.js';
import { EndpointLinksService } from './endpoint-links.service.js';
import { ExperienceLinksRepository } from './experience-links.repository.js';
import { ExperienceLinksService } from './experience-links.service.js';
import { ViewLinksController } from './view-links.controller.js';

@Module({
  imports: [ExperienceEndpointsModule, ExperienceVersionsModule, ExperienceViewsModule, FlowsModule],
  controllers: [EndpointLinksController, ViewLinksController],
  providers: [
    EndpointLinksRepository,
    EndpointLinksService,
    ExperienceLinksRepository,
    ExperienceLinksService,
  ],
})
export class ExperienceLinksModule {}
