import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { EndpointRequestsService } from './endpoint-requests.service.js';
import { ENDPOINT_STATS } from './endpoint.schemas.js';
import {
  ExperienceEndpoint,
  ExperienceEndpointPost,
  ExperienceEndpoints,
} from './experience-endpoint.resource.js';
import { EndpointStatsQuery, ExperienceEndpointsQuery } from './experience-endpoints.query.js';
import { ExperienceEndpointsService } from './experience-endpoints.service.js';

@Controller('applications/:applicationId/experience/endpoints')
export class ExperienceEndpointsController {
  constructor(
    private readonly endpoints: ExperienceEndpointsService,
    private readonly requests: EndpointRequestsService,
  ) {}

  @Get()
  @Operation('experienceEndpoints.get', {
    summary: 'Returns the endpoints of an experience',
    description:
      'All of them at once. `order` is that in which they are tried for a request: segment by segment, text before parameters and parameters before wildcards. `requestCount` sorts by the requests of the last `requestCountDuration`. Of a version, endpoints are as they were when it was made. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ExperienceEndpoints },
    missing: 'application or version',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: ExperienceEndpointsQuery,
  ): Promise<StoredPage<ExperienceEndpoint>> {
    return this.endpoints.list(application, query);
  }

  @Post()
  @Operation('experienceEndpoints.post', {
    summary: 'Creates an endpoint of an experience',
    description:
      'Its route begins with a slash; a slash at its end makes no difference. `{name}` stands for any segment. At the end `{name?}` stands for one segment or none, and `{name*}` for all that follow, be it none. Where several endpoints match a path, the most specific one answers, segment by segment: text goes before parameters, parameters before wildcards. Two endpoints of one method that would match the same paths with the same right are refused, with a message that names the other. An owner whose limit `experienceendpoint` is absent may have 1,000 in each application. Experiences are not served to the public yet: endpoints answer nobody so far. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { experienceEndpoint: ExperienceEndpointPost },
    example: { method: 'get', route: '/pumps/{pumpId}', access: 'authenticated' },
    returns: { 201: ExperienceEndpoint },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ExperienceEndpointPost,
    @By() by: Author,
  ): Promise<Stored<ExperienceEndpoint>> {
    return this.endpoints.create(application, body, by);
  }

  @Get('stats')
  @Operation('experienceEndpoints.stats', {
    summary: 'Returns how often an experience was asked',
    description:
      'Requests in steps of time, by the statuses they were answered with, by endpoint, by version or by domain; `notFound` stands for those that no endpoint answered. Only what came in that time has a member, with every step, also one without requests. Requests are added up by the minute: a time ends with a whole minute, or a whole hour where steps are whole hours, and is made longer at its beginning where steps would not fit. They are kept for 30 days. Experiences are not served to the public yet, so nothing is counted so far. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ENDPOINT_STATS },
    missing: 'application',
  })
  stats(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: EndpointStatsQuery,
  ): Promise<object> {
    return this.requests.stats(application, query);
  }
}
