import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { ExperienceUser, ExperienceUserPost, ExperienceUsers } from './experience-user.resource.js';
import { ExperienceUsersQuery } from './experience-users.query.js';
import { ExperienceUsersService } from './experience-users.service.js';

@Controller('applications/:applicationId/experience/users')
export class ExperienceUsersController {
  constructor(private readonly users: ExperienceUsersService) {}

  @Get()
  @Operation('experienceUsers.get', {
    summary: 'Lists the experience users of an application',
    description:
      'Returns a page of experience users. An advanced query overrides `filterField`, `filter`, `experienceGroupId` and `includeAncestorGroups`. Members of a group are also members of its descendants. With `includeAncestorGroups`, the list includes everyone with access through the group.',
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
      'Creates an experience user. The email address must be unique in the application, ignoring case. `experienceGroupIds` must refer to groups of the application. The `experienceuser` limit of the owner applies to the number of users per application. Users sign in through workflows of the experience.',
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
  ): Promise<StoredResource<ExperienceUser>> {
    return this.users.create(application, body, by);
  }
}
