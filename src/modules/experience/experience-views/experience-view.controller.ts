import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CONFIGURE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { ExperienceView, ExperienceViewPatch } from './experience-view.resource.js';
import { ExperienceViewQuery } from './experience-views.query.js';
import { ExperienceViewsService } from './experience-views.service.js';

@ChangesSites()
@Controller('applications/:applicationId/experience/views/:experienceViewId')
export class ExperienceViewController {
  constructor(private readonly views: ExperienceViewsService) {}

  @Get()
  @Operation('experienceView.get', {
    summary: 'Returns a view of an experience',
    description:
      'Returns a view of `develop`, or with `version`, the view in a version. IDs are the same in all versions. A version also contains views that were deleted since.',
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: ExperienceView },
    missing: 'experience view or version',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('experienceViewId') viewId: string,
    @Query() { version }: ExperienceViewQuery,
  ): Promise<StoredResource<ExperienceView>> {
    return this.views.get(id, viewId, version);
  }

  @Patch()
  @Operation('experienceView.patch', {
    summary: 'Updates a view of an experience',
    description:
      'Updates a view in `develop`; existing versions are not affected. Omitted properties keep their value. Tags and headers are replaced, not merged. `layoutId: null` removes the layout of a page. The type cannot be changed.',
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
  ): Promise<StoredResource<ExperienceView>> {
    return this.views.patch(id, viewId, body, by);
  }

  @Delete()
  @Operation('experienceView.delete', {
    summary: 'Deletes a view of an experience',
    description:
      'Deletes a view from `develop`; existing versions keep it. Pages that use a deleted layout have no layout afterwards. Templates and replies that refer to the view are not changed and render nothing instead of it.',
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
