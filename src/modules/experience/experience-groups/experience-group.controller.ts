import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { ExperienceGroup, ExperienceGroupPatch } from './experience-group.resource.js';
import { ExperienceGroupQuery } from './experience-groups.query.js';
import { ExperienceGroupsService } from './experience-groups.service.js';

@ChangesSites()
@Controller('applications/:applicationId/experience/groups/:experienceGroupId')
export class ExperienceGroupController {
  constructor(private readonly groups: ExperienceGroupsService) {}

  @Get()
  @Operation('experienceGroup.get', {
    summary: 'Returns an experience group',
    description:
      'Returns an experience group. Device counts are computed on request; each device that is not deleted counts once. Counting is subject to the time limit of searches. It covers at most 1,000 different device queries with 262,144 characters in total.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ExperienceGroup },
    missing: 'experience group',
  })
  get(
    @CurrentApplication() application: ApplicationAccess,
    @Param('experienceGroupId') id: string,
    @Query() query: ExperienceGroupQuery,
  ): Promise<StoredResource<ExperienceGroup>> {
    return this.groups.get(application, id, query);
  }

  @Patch()
  @Operation('experienceGroup.patch', {
    summary: 'Updates an experience group',
    description:
      'Omitted properties keep their value. Arrays and tags are replaced, not merged. Lists of users and endpoints can only be replaced if the group has at most 1,000 of them. A group cannot be moved below itself.',
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
  ): Promise<StoredResource<ExperienceGroup>> {
    return this.groups.patch(applicationId, id, body, by);
  }

  @Delete()
  @Operation('experienceGroup.delete', {
    summary: 'Deletes an experience group',
    description:
      'Permanently deletes the group. Its users, endpoints and devices are kept and leave the group. Its child groups move to its parent. Users who were members only of the deleted group lose access to the groups below it.',
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
