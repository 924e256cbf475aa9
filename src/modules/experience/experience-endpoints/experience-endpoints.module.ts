import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExperienceGroupsModule } from '../experience-groups/experience-groups.module.js';
import { ExperienceVersionsModule } from '../experience-versions/experience-versions.module.js';
import { FlowsModule } from '../../flows/flows/flows.module.js';
import { EndpointRequestsRepository } from './endpoint-requests.repository.js';
import { EndpointRequestsService } from './endpoint-requests.service.js';
import { ExperienceEndpointController } from './experience-endpoint.controller.js';
import { ExperienceEndpoint } from './experience-endpoint.resource.js';
import { ExperienceEndpointsController } from './experience-endpoints.controller.js';
import { ExperienceEndpointsRepository } from './experience-endpoints.repository.js';
import { ExperienceEndpointsService } from './experience-endpoints.service.js';

/** Endpoints of experiences, and what is known of requests to them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ExperienceEndpoint]),
    ExperienceGroupsModule,
    ExperienceVersionsModule,
    FlowsModule,
  ],
  // Of paths that could be either, `endpoints/stats` comes first.
  controllers: [ExperienceEndpointsController, ExperienceEndpointController],
  providers: [
    ExperienceEndpointsRepository,
    EndpointRequestsRepository,
    ExperienceEndpointsService,
    EndpointRequestsService,
  ],
  exports: [
    EndpointRequestsRepository,
    EndpointRequestsService,
    ExperienceEndpointsRepository,
    ExperienceEndpointsService,
  ],
})
export class ExperienceEndpointsModule {}
