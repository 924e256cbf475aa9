import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ExperienceEndpoint, ExperienceEndpointPatch } from './experience-endpoint.resource.js';
import { EndpointDeleteQuery, ExperienceEndpointQuery } from './experience-endpoints.query.js';
import { ExperienceEndpointsService } from './experience-endpoints.service.js';

@Controller('applications/:applicationId/experience/endpoints/:experienceEndpointId')
export class ExperienceEndpointController {
  constructor(private readonly endpoints: ExperienceEndpointsService) {}

  @Get()
  @Operation('experienceEndpoint.get', {
    summary: 'Returns an endpoint of an experience',
    description:
      'As it is being developed, or as it was when the version was made; a version has also what is no longer in `develop`. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ExperienceEndpoint },
    missing: 'endpoint or version',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('experienceEndpointId') endpointId: string,
    @Query() { version }: ExperienceEndpointQuery,
  ): Promise<Stored<ExperienceEndpoint>> {
    return this.endpoints.get(id, endpointId, version);
  }

  @Patch()
  @Operation('experienceEndpoint.patch', {
    summary: 'Changes an endpoint of an experience',
    description:
      'What is absent stays as it is, and lists and tags are replaced whole; `null` takes a reply away. Its method and route are held to what holds for a new one. Versions keep it as it was. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { experienceEndpoint: ExperienceEndpointPatch },
    example: { enabled: false },
    returns: { 200: ExperienceEndpoint },
    missing: 'endpoint',
  })
  patch(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('experienceEndpointId') endpointId: string,
    @Body() body: ExperienceEndpointPatch,
    @By() by: Author,
  ): Promise<Stored<ExperienceEndpoint>> {
    return this.endpoints.patch(id, endpointId, body, by);
  }

  @Delete()
  @Operation('experienceEndpoint.delete', {
    summary: 'Deletes an endpoint of an experience',
    description:
      'It is gone from `develop`, and versions keep it. With `includeWorkflows` the workflows go too that have a trigger for it in the version that runs or the one that is being developed; more than 1,000 are 400. Otherwise they stay, and that trigger never fires again. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'endpoint',
  })
  delete(
    @CurrentApplication() application: ApplicationAccess,
    @Param('experienceEndpointId') endpointId: string,
    @Query() { includeWorkflows }: EndpointDeleteQuery,
    @By() by: Author,
  ): Promise<Success> {
    return this.endpoints.delete(application, endpointId, includeWorkflows, by);
  }
}
