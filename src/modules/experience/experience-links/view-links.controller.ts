import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import { LinksQuery } from './experience-links.query.js';
import { ExperienceLinkedResources } from './experience-links.resource.js';
import { ExperienceLinksService } from './experience-links.service.js';

@Controller('applications/:applicationId/experience/views/:experienceViewId/linkedResources')
export class ViewLinksController {
  constructor(private readonly links: ExperienceLinksService) {}

  @Get()
  @Operation('experienceView.linkedResources', {
    summary: 'Returns what a view of an experience is linked with',
    description:
      'Views: its layout, the components that its template has, the pages that stand in it, and the templates that have it as a component. Endpoints whose replies show it. Workflows of which a node names its id: those of `develop` in `flows`, or with `version` those that the version keeps in `flowVersions`; with `includeCustomNodes` also the custom nodes of the application that these execute. Each list is sorted, has the first 1,000 and tells of all in `totalCount`. It is a search of the owner of the application: 400 where it takes too long. Needs the role `view` on the application.',
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: ExperienceLinkedResources },
    missing: 'experience view or version',
  })
  get(
    @CurrentApplication() application: ApplicationAccess,
    @Param('experienceViewId') id: string,
    @Query() query: LinksQuery,
  ): Promise<ExperienceLinkedResources> {
    return this.links.ofView(application, id, query);
  }
}
