import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CONFIGURE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { ExperienceView, ExperienceViewPost, ExperienceViews } from './experience-view.resource.js';
import { ExperienceViewsQuery } from './experience-views.query.js';
import { ExperienceViewsService } from './experience-views.service.js';

@ChangesSites()
@Controller('applications/:applicationId/experience/views')
export class ExperienceViewsController {
  constructor(private readonly views: ExperienceViewsService) {}

  @Get()
  @Operation('experienceViews.get', {
    summary: 'Lists the views of an experience',
    description: 'Returns the views of `develop`, or with `version`, those of a version of the experience.',
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: ExperienceViews },
    missing: 'application or version',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: ExperienceViewsQuery,
  ): Promise<StoredPage<ExperienceView>> {
    return this.views.list(application, query);
  }

  @Post()
  @Operation('experienceViews.post', {
    summary: 'Creates a view of an experience',
    description:
      'Creates a layout, page or component in `develop`. Its name must be unique among views of its type. A page can have a layout of the same application. `body` is a Handlebars template. Returns `400` if it cannot be parsed or calls an unknown helper; the message has the position. The `experienceview` limit of the owner applies to the number of views per application.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    body: { experienceView: ExperienceViewPost },
    example: { name: 'Alarms', viewType: 'page', body: '<h1>{{pageData.title}}</h1>' },
    returns: { 201: ExperienceView },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ExperienceViewPost,
    @By() by: Author,
  ): Promise<StoredResource<ExperienceView>> {
    return this.views.create(application, body, by);
  }
}
