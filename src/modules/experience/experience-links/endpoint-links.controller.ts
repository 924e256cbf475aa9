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
    summary: 'Returns what an endpoint of an experience hangs together with',
    description:
      'The pages that its replies name, with their layouts and the components in all of these; the endpoints that its replies lead to, where these are paths of the experience; and the workflows with a trigger for it. Of `develop` the workflows of the experience are among `flows`, of a version among `flowVersions`; those of the application are among `flows`, where their trigger names the version, or none and that is `develop`. With `includeCustomNodes` the custom nodes that these execute follow. Of each kind the first 1,000, custom nodes beside. Needs the role `view` on the application.',
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
