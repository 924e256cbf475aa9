import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { ExperienceUser, ExperienceUserPatch } from './experience-user.resource.js';
import { ExperienceUsersService } from './experience-users.service.js';

@ChangesSites()
@Controller('applications/:applicationId/experience/users/:experienceUserId')
export class ExperienceUserController {
  constructor(private readonly users: ExperienceUsersService) {}

  @Get()
  @Operation('experienceUser.get', {
    summary: 'Returns an experience user',
    description: 'Returns an experience user with the groups of which they are a direct member.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ExperienceUser },
    missing: 'experience user',
  })
  get(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('experienceUserId') id: string,
  ): Promise<StoredResource<ExperienceUser>> {
    return this.users.get(applicationId, id);
  }

  @Patch()
  @Operation('experienceUser.patch', {
    summary: 'Updates an experience user',
    description:
      'Omitted properties keep their value. Tags and groups are replaced, not merged. Groups can only be replaced if the user is in at most 1,000. Changing the password does not revoke the tokens of the user; set `tokenCutoff` to revoke them.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { experienceUser: ExperienceUserPatch },
    example: { lastName: 'Lovelace', userTags: { site: 'south' } },
    returns: { 200: ExperienceUser },
    missing: 'experience user',
  })
  patch(
    @CurrentApplication() application: ApplicationAccess,
    @Param('experienceUserId') id: string,
    @Body() body: ExperienceUserPatch,
    @By() by: Author,
  ): Promise<StoredResource<ExperienceUser>> {
    return this.users.patch(application, id, body, by);
  }

  @Delete()
  @Operation('experienceUser.delete', {
    summary: 'Deletes an experience user',
    description: 'Permanently deletes the user and removes them from all groups.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'experience user',
  })
  delete(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('experienceUserId') id: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.users.delete(applicationId, id, by);
  }
}
