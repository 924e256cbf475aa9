import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { ExperienceGroup, ExperienceGroupPost, ExperienceGroups } from './experience-group.resource.js';
import { ExperienceGroupsQuery } from './experience-groups.query.js';
import { ExperienceGroupsService } from './experience-groups.service.js';

@ChangesSites()
@Controller('applications/:applicationId/experience/groups')
export class ExperienceGroupsController {
  constructor(private readonly groups: ExperienceGroupsService) {}

  @Get()
  @Operation('experienceGroups.get', {
    summary: 'Lists the experience groups of an application',
    description:
      'Returns a page of experience groups. An advanced query overrides `filterField` and `filter`. Its field `ancestorId` matches groups at any depth below a group.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ExperienceGroups },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() { list }: ExperienceGroupsQuery,
  ): Promise<StoredPage<ExperienceGroup>> {
    return this.groups.list(application, list);
  }

  @Post()
  @Operation('experienceGroups.post', {
    summary: 'Creates an experience group',
    description:
      'Creates an experience group. Referenced users, endpoints, devices and the parent must belong to the application. `deviceQueryJson` is an advanced query of devices that cannot use groups or users of the experience. It is evaluated each time devices are counted. Groups can be nested up to 100 levels deep. The `experiencegroup` limit of the owner applies to the number of groups per application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { experienceGroup: ExperienceGroupPost },
    example: { name: 'Operators', deviceTags: [{ key: 'site', value: 'north' }] },
    returns: { 201: ExperienceGroup },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ExperienceGroupPost,
    @By() by: Author,
  ): Promise<StoredResource<ExperienceGroup>> {
    return this.groups.create(application, body, by);
  }
}
