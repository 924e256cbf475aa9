import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { ExperienceGroup, ExperienceGroupPost, ExperienceGroups } from './experience-group.resource.js';
import { ExperienceGroupsQuery } from './experience-groups.query.js';
import { ExperienceGroupsService } from './experience-groups.service.js';

@Controller('applications/:applicationId/experience/groups')
export class ExperienceGroupsController {
  constructor(private readonly groups: ExperienceGroupsService) {}

  @Get()
  @Operation('experienceGroups.get', {
    summary: 'Returns the experience groups of an application',
    description:
      'An advanced query takes the place of `filterField` and `filter`: in it `ancestorId` asks for groups that one stands below, at whatever distance. Needs the role `view` on the application.',
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
      'All that it names must be in the application. `deviceQueryJson` is an advanced query of devices, which may ask for anything but groups and users of the experience; it is asked anew whenever devices are counted. Groups stand 100 below each other at most. The limit `experiencegroup` of the owner counts the groups of each application. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<ExperienceGroup>> {
    return this.groups.create(application, body, by);
  }
}
