import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { ExperienceUser, ExperienceUserPost, ExperienceUsers } from './experience-user.resource.js';
import { ExperienceUsersQuery } from './experience-users.query.js';
import { ExperienceUsersService } from './experience-users.service.js';

@Controller('applications/:applicationId/experience/users')
export class ExperienceUsersController {
  constructor(private readonly users: ExperienceUsersService) {}

  @Get()
  @Operation('experienceUsers.get', {
    summary: 'Returns the experience users of an application',
    description:
      'An advanced query takes the place of `filterField`, `filter`, `experienceGroupId` and `includeAncestorGroups`. Whoever is in a group is in all below it too: with `includeAncestorGroups` the list has everybody whom the group lets in. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ExperienceUsers },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: ExperienceUsersQuery,
  ): Promise<StoredPage<ExperienceUser>> {
    return this.users.list(application, query);
  }

  @Post()
  @Operation('experienceUsers.post', {
    summary: 'Creates an experience user',
    description:
      'Its address must be new in the application, in upper or lower case. `experienceGroupIds` names groups of the application. The limit `experienceuser` of the owner counts the users of each application. Signing in to an experience is not served yet. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { experienceUser: ExperienceUserPost },
    example: { email: 'ada@example.com', password: 'Correct-Horse-7', firstName: 'Ada' },
    returns: { 201: ExperienceUser },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ExperienceUserPost,
    @By() by: Author,
  ): Promise<Stored<ExperienceUser>> {
    return this.users.create(application, body, by);
  }
}
