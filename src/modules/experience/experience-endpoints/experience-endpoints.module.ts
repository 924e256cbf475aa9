import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExperienceGroupsModule } from '../experience-groups/experience-groups.module.js';
import { ExperienceVersionsModule } from '../experience-versions/experience-versions.module.js';
import { FiringsModule } from '../../../workflows/runs/firings.module.js';
import { FlowsModule } from '../../flows/flows/flows.module.js';
import { EndpointRequestRetention, EndpointRequestsAggregator } from './endpoint-request-upkeep.js';
import { EndpointRequestsRepository } from './endpoint-requests.repository.js';
import { EndpointRequestsService } from './endpoint-requests.service.js';
import { ExperienceEndpointController } from './experience-endpoint.controller.js';
import { ExperienceEndpoint } from './experience-endpoint.resource.js';
import { ExperienceEndpointsController } from './experience-endpoints.controller.js';
import { ExperienceEndpointsRepository } from './experience-endpoints.repository.js';
import { ExperienceEndpointsService } from './experience-endpoints.service.js';

/** Endpoints of experiences and statistics of their requests. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ExperienceEndpoint]),
    ExperienceGroupsModule,
    ExperienceVersionsModule,
    FiringsModule,
    FlowsModule,
  ],
  // The controller with `endpoints/stats` comes first, because the path also matches an endpoint ID.
  controllers: [ExperienceEndpointsController, ExperienceEndpointController],
  providers: [
    ExperienceEndpointsRepository,
    EndpointRequestsRepository,
    ExperienceEndpointsService,
    EndpointRequestsService,
    EndpointRequestsAggregator,
    EndpointRequestRetention,
  ],
  exports: [
    EndpointRequestsRepository,
    EndpointRequestsService,
    ExperienceEndpointsRepository,
    ExperienceEndpointsService,
  ],
})
export class ExperienceEndpointsModule {}
