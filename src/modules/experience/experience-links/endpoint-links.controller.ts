import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import { EndpointLinksService } from './endpoint-links.service.js';
import { LinksQuery } from './experience-links.query.js';
import { ExperienceLinkedResources } from './experience-links.resource.js';

@Controller('applications/:applicationId/experience/endpoints/:experienceEndpointId')
export class EndpointLinksController {
  constructor(private readonly links: EndpointLinksService) {}

  @Get('linkedResources')
  @Operation('experienceEndpoint.linkedResources', {
    summary: 'Returns the linked resources of an endpoint',
    description:
      'Returns the pages in the replies of the endpoint with their layouts and components, and the endpoints that its replies redirect to within the experience. Also returns the workflows with a trigger for the endpoint. For `develop`, `flows` contains workflows of the experience; for a version, `flowVersions` contains them. Workflows of the application are in `flows` if their trigger selects the version, or selects none and the version is `develop`. With `includeCustomNodes`, the list also contains the custom nodes that these workflows execute. Each list contains at most the first 1,000 resources, not counting custom nodes.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ExperienceLinkedResources },
    missing: 'endpoint or version',
  })
  linkedResources(
    @CurrentApplication() application: ApplicationAccess,
    @Param('experienceEndpointId') endpointId: string,
    @Query() query: LinksQuery,
  ): Promise<ExperienceLinkedResources> {
    return this.links.ofEndpoint(application, endpointId, query);
  }
}
