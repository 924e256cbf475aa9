import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ExperienceGroup, ExperienceGroupPatch } from './experience-group.resource.js';
import { ExperienceGroupQuery } from './experience-groups.query.js';
import { ExperienceGroupsService } from './experience-groups.service.js';

@Controller('applications/:applicationId/experience/groups/:experienceGroupId')
export class ExperienceGroupController {
  constructor(private readonly groups: ExperienceGroupsService) {}

  @Get()
  @Operation('experienceGroup.get', {
    summary: 'Returns an experience group',
    description:
      'Devices are counted for the answer: those that are not deleted, each once, however many of its groups it is in. Counting may take as long as a search, and covers 1,000 different queries, and 262,144 characters of them, at most. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ExperienceGroup },
    missing: 'experience group',
  })
  get(
    @CurrentApplication() application: ApplicationAccess,
    @Param('experienceGroupId') id: string,
    @Query() query: ExperienceGroupQuery,
  ): Promise<Stored<ExperienceGroup>> {
    return this.groups.get(application, id, query);
  }

  @Patch()
  @Operation('experienceGroup.patch', {
    summary: 'Changes an experience group',
    description:
      'What is absent stays as it is; lists and tags are replaced whole, and those of users and endpoints where there are no more than 1,000 of them. A group cannot go below itself. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { experienceGroup: ExperienceGroupPatch },
    example: { name: 'Operators', groupTags: { region: 'south' } },
    returns: { 200: ExperienceGroup },
    missing: 'experience group',
  })
  patch(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('experienceGroupId') id: string,
    @Body() body: ExperienceGroupPatch,
    @By() by: Author,
  ): Promise<Stored<ExperienceGroup>> {
    return this.groups.patch(applicationId, id, body, by);
  }

  @Delete()
  @Operation('experienceGroup.delete', {
    summary: 'Deletes an experience group',
    description:
      'It is gone for good. Its users, endpoints and devices stay, and are in it no longer; groups directly below it go where it stood, so those who were in it alone lose what is below it. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'experience group',
  })
  delete(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('experienceGroupId') id: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.groups.delete(applicationId, id, by);
  }
}
