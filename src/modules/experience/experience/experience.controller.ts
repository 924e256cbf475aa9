import { Body, Controller, Delete, Patch, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_WRITE, APPLICATION_CONFIGURE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { ExperienceBootstrapService } from './experience-bootstrap.service.js';
import { ExperienceRemovalService } from './experience-removal.service.js';
import { ExperienceDeleteQuery } from './experience.query.js';
import { ExperienceBootstrapOptions, ExperienceBootstrapResult } from './experience.resource.js';

@ChangesSites()
@Controller('applications/:applicationId/experience')
export class ExperienceController {
  constructor(
    private readonly demonstration: ExperienceBootstrapService,
    private readonly removal: ExperienceRemovalService,
  ) {}

  @Patch('bootstrap')
  @Operation('experience.bootstrap', {
    summary: 'Creates an example experience',
    description:
      'Creates a layout, components, pages for home, login and errors, endpoints for the home page and for signing in and out, and the workflow that does so. Also creates a user, and a group with this user. The password of the user is returned only by this request. All resources are created, or none. If a name, route or email address is already in use, `resourceSuffix` is appended to all names and routes. With `replaceExisting`, the existing resources are deleted instead. The error page becomes the `notFoundReply` of `develop` if none is set, and always with `replaceExisting`.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    body: { options: ExperienceBootstrapOptions },
    example: { createUsers: true, createGroups: true },
    returns: { 200: ExperienceBootstrapResult },
    missing: 'application',
  })
  bootstrap(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ExperienceBootstrapOptions,
    @By() by: Author,
  ): Promise<ExperienceBootstrapResult> {
    return this.demonstration.bootstrap(application, body, by);
  }

  @Delete()
  @Operation('experience.delete', {
    summary: 'Deletes an experience or parts of it',
    description:
      'Deletes users, groups, slugs, domains, views and endpoints, unless the query keeps them. Versions and workflows are kept, unless the query removes them. `develop` with its settings and the default slug, which is the ID of the application, are never deleted. The contents of existing versions are not affected, unless versions are removed. Up to 5,000 resources are deleted in one transaction. If there are more, a background job deletes them.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'application',
  })
  delete(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: ExperienceDeleteQuery,
    @By() by: Author,
  ): Promise<Success> {
    return this.removal.delete(application, query, by);
  }
}
