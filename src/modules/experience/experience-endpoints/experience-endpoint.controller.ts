import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { ExperienceEndpoint, ExperienceEndpointPatch } from './experience-endpoint.resource.js';
import { EndpointDeleteQuery, ExperienceEndpointQuery } from './experience-endpoints.query.js';
import { ExperienceEndpointsService } from './experience-endpoints.service.js';

@ChangesSites()
@Controller('applications/:applicationId/experience/endpoints/:experienceEndpointId')
export class ExperienceEndpointController {
  constructor(private readonly endpoints: ExperienceEndpointsService) {}

  @Get()
  @Operation('experienceEndpoint.get', {
    summary: 'Returns an endpoint of an experience',
    description:
      'Returns an endpoint of `develop` or of a version. A version also contains endpoints that no longer exist in `develop`.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ExperienceEndpoint },
    missing: 'endpoint or version',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('experienceEndpointId') endpointId: string,
    @Query() { version }: ExperienceEndpointQuery,
  ): Promise<StoredResource<ExperienceEndpoint>> {
    return this.endpoints.get(id, endpointId, version);
  }

  @Patch()
  @Operation('experienceEndpoint.patch', {
    summary: 'Updates an endpoint of an experience',
    description:
      'Omitted properties keep their value. Arrays and tags are replaced, not merged. `null` removes a reply. The method and route must satisfy the rules for a new endpoint. Existing versions are not affected.',
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
  ): Promise<StoredResource<ExperienceEndpoint>> {
    return this.endpoints.patch(id, endpointId, body, by);
  }

  @Delete()
  @Operation('experienceEndpoint.delete', {
    summary: 'Deletes an endpoint of an experience',
    description:
      'Deletes the endpoint from `develop`; existing versions keep it. With `includeWorkflows`, also deletes the workflows with a trigger for the endpoint in the version that runs or the one under development. Returns `400` if there are more than 1,000. Otherwise workflows are kept, but the trigger no longer fires.',
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
