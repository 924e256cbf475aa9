import { Body, Controller, Delete, Patch, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_WRITE, APPLICATION_CONFIGURE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ExperienceBootstrapService } from './experience-bootstrap.service.js';
import { ExperienceRemovalService } from './experience-removal.service.js';
import { ExperienceDeleteQuery } from './experience.query.js';
import { ExperienceBootstrapOptions, ExperienceBootstrapResult } from './experience.resource.js';

@Controller('applications/:applicationId/experience')
export class ExperienceController {
  constructor(
    private readonly demonstration: ExperienceBootstrapService,
    private readonly removal: ExperienceRemovalService,
  ) {}

  @Patch('bootstrap')
  @Operation('experience.bootstrap', {
    summary: 'Makes a small experience to begin with',
    description:
      'A layout, a component, pages for home, login and errors, endpoints for these and for what the login page sends, a group whose users may see the home page, and a user in it whose password is answered here and nowhere else. All of it is made, or nothing. Where something has one of its names, routes or the address already, all that is made ends with `resourceSuffix`, or with `replaceExisting` what has them goes first. The error page becomes the `notFoundReply` of `develop` where that has none, and with `replaceExisting` in any case. No workflow is made: signing in and experiences themselves are not served yet. Needs the role `collaborate` on the application.',
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
    summary: 'Deletes an experience, or parts of it',
    description:
      'Users, groups, slugs, domains, views and endpoints go unless the query keeps them; versions and workflows stay unless it has them removed. `develop` stays, with its settings, and so does the slug that is the id of the application. What versions keep is as it was, unless they are removed. Up to 5,000 things go at once, all or none; where there are more, a job that begins at once removes them. Needs the role `collaborate` on the application.',
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
