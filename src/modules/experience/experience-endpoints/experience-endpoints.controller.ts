import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { EndpointRequestsService } from './endpoint-requests.service.js';
import { ENDPOINT_STATS } from './endpoint.schemas.js';
import {
  ExperienceEndpoint,
  ExperienceEndpointPost,
  ExperienceEndpoints,
} from './experience-endpoint.resource.js';
import { EndpointStatsQuery, ExperienceEndpointsQuery } from './experience-endpoints.query.js';
import { ExperienceEndpointsService } from './experience-endpoints.service.js';

@ChangesSites()
@Controller('applications/:applicationId/experience/endpoints')
export class ExperienceEndpointsController {
  constructor(
    private readonly endpoints: ExperienceEndpointsService,
    private readonly requests: EndpointRequestsService,
  ) {}

  @Get()
  @Operation('experienceEndpoints.get', {
    summary: 'Lists the endpoints of an experience',
    description:
      'Returns all endpoints without paging. `order` sorts them in the order of matching: segment by segment, static text before parameters and parameters before wildcards. `requestCount` sorts by the number of requests in the last `requestCountDuration`. For a version, returns the endpoints as they were when the version was created.',
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
      'Creates an endpoint in `develop`. The route begins with a slash; a trailing slash is ignored. `{name}` matches one segment. At the end, `{name?}` matches one segment or none, and `{name*}` matches any number of remaining segments. If several endpoints match a path, the most specific one responds, segment by segment: static text before parameters, parameters before wildcards. Returns `400` if another endpoint with the same method matches the same paths with the same precedence; the message names that endpoint. The `experienceendpoint` limit of the owner applies to the number of endpoints per application; it defaults to 1,000. Endpoints of `develop` respond to the next request.',
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
  ): Promise<StoredResource<ExperienceEndpoint>> {
    return this.endpoints.create(application, body, by);
  }

  @Get('stats')
  @Operation('experienceEndpoints.stats', {
    summary: 'Returns the request counts of an experience',
    description:
      'Returns the number of requests per time step, by response status, endpoint, version or domain. `notFound` counts requests that no endpoint matched. Only values with requests have a member, which contains all steps, including those without requests. Requests are aggregated by minute. The period ends with a whole minute, or with a whole hour if steps are whole hours. Its start is moved back if necessary to fit whole steps. Counts are kept for 30 days.',
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
