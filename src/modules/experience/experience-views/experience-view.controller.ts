import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CONFIGURE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ExperienceView, ExperienceViewPatch } from './experience-view.resource.js';
import { ExperienceViewQuery } from './experience-views.query.js';
import { ExperienceViewsService } from './experience-views.service.js';

@Controller('applications/:applicationId/experience/views/:experienceViewId')
export class ExperienceViewController {
  constructor(private readonly views: ExperienceViewsService) {}

  @Get()
  @Operation('experienceView.get', {
    summary: 'Returns a view of an experience',
    description:
      'As it is being developed, or with `version` as a version of the experience keeps it, under the same id, also where it was deleted since. Needs the role `view` on the application.',
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: ExperienceView },
    missing: 'experience view or version',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('experienceViewId') viewId: string,
    @Query() { version }: ExperienceViewQuery,
  ): Promise<Stored<ExperienceView>> {
    return this.views.get(id, viewId, version);
  }

  @Patch()
  @Operation('experienceView.patch', {
    summary: 'Changes a view of an experience',
    description:
      'As it is being developed: versions of the experience keep it as it was. What is absent stays as it is; tags and headers are replaced whole, and `null` takes a page out of its layout. Its type never changes. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    body: { experienceView: ExperienceViewPatch },
    example: { body: '<h1>{{pageData.title}}</h1>' },
    returns: { 200: ExperienceView },
    missing: 'experience view',
  })
  patch(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('experienceViewId') viewId: string,
    @Body() body: ExperienceViewPatch,
    @By() by: Author,
  ): Promise<Stored<ExperienceView>> {
    return this.views.patch(id, viewId, body, by);
  }

  @Delete()
  @Operation('experienceView.delete', {
    summary: 'Deletes a view of an experience',
    description:
      'From what is being developed: versions of the experience keep it. Pages that stood in a layout stand in none from then on. Templates and replies that name a view are left as they are, and show nothing in its place. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'experience view',
  })
  delete(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('experienceViewId') viewId: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.views.delete(id, viewId, by);
  }
}
