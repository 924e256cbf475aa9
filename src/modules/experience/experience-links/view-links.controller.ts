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
    summary: 'Returns the linked resources of a view',
    description:
      'Returns the resources linked to a view. Views: its layout, the components in its template, the pages that use it as layout, and the templates that use it as a component. Endpoints: those whose replies show it. Workflows: those with a node that refers to its ID. They are in `flows` for `develop`, or in `flowVersions` with `version`. With `includeCustomNodes`, also returns the custom nodes of the application that these workflows execute. Each list is sorted and contains the first 1,000 resources; `totalCount` is the total number. The operation is a search: it returns `400` if it takes too long.',
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
