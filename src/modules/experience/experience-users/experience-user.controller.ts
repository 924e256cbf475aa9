import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ExperienceUser, ExperienceUserPatch } from './experience-user.resource.js';
import { ExperienceUsersService } from './experience-users.service.js';

@Controller('applications/:applicationId/experience/users/:experienceUserId')
export class ExperienceUserController {
  constructor(private readonly users: ExperienceUsersService) {}

  @Get()
  @Operation('experienceUser.get', {
    summary: 'Returns an experience user',
    description: 'Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ExperienceUser },
    missing: 'experience user',
  })
  get(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('experienceUserId') id: string,
  ): Promise<Stored<ExperienceUser>> {
    return this.users.get(applicationId, id);
  }

  @Patch()
  @Operation('experienceUser.patch', {
    summary: 'Changes an experience user',
    description:
      'What is absent stays as it is; tags and groups are replaced whole, groups where the user is in no more than 1,000. A new password leaves the tokens of the user as they are: set `tokenCutoff` to have them void. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { experienceUser: ExperienceUserPatch },
    example: { lastName: 'Lovelace', userTags: { site: 'south' } },
    returns: { 200: ExperienceUser },
    missing: 'experience user',
  })
  patch(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('experienceUserId') id: string,
    @Body() body: ExperienceUserPatch,
    @By() by: Author,
  ): Promise<Stored<ExperienceUser>> {
    return this.users.patch(applicationId, id, body, by);
  }

  @Delete()
  @Operation('experienceUser.delete', {
    summary: 'Deletes an experience user',
    description:
      'They are gone for good, and in no group from then on. Needs the role `collaborate` on the application.',
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
