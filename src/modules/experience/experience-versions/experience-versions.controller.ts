import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_GET, APPLICATION_GLOBALS } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import {
  ExperienceVersion,
  ExperienceVersionPost,
  ExperienceVersions,
} from './experience-version.resource.js';
import { ExperienceVersionsQuery } from './experience-versions.query.js';
import { ExperienceVersionsService } from './experience-versions.service.js';

@ChangesSites()
@Controller('applications/:applicationId/experience/versions')
export class ExperienceVersionsController {
  constructor(private readonly versions: ExperienceVersionsService) {}

  @Get()
  @Operation('experienceVersions.get', {
    summary: 'Lists the versions of an experience',
    description:
      'Returns all versions, including `develop`, the version under development. `develop` is not part of counts and limits of versions.',
    scopes: APPLICATION_GET,
    role: 'view',
    returns: { 200: ExperienceVersions },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() { list }: ExperienceVersionsQuery,
  ): Promise<StoredPage<ExperienceVersion>> {
    return this.versions.list(application, list);
  }

  @Post()
  @Operation('experienceVersions.post', {
    summary: 'Creates a version of an experience',
    description:
      'Creates a snapshot of the endpoints, views and workflows of the experience under a new name. Later changes and deletions do not affect the version. Resources have the same IDs in all versions. Omitted settings are copied from `develop`. A version does not contain users, groups, or the globals and storage of the application. The domains in `domainIds` and slugs in `slugIds`, which must belong to the application, point to the new version. The `experienceversion` limit of the owner applies to the number of versions per application, excluding `develop`. Requests to a domain or slug are answered with the version that it points to.',
    scopes: APPLICATION_GLOBALS,
    role: 'collaborate',
    body: { experienceVersion: ExperienceVersionPost },
    example: { version: 'v1.4.0', description: 'A page of alarms' },
    returns: { 201: ExperienceVersion },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ExperienceVersionPost,
    @By() by: Author,
  ): Promise<StoredResource<ExperienceVersion>> {
    return this.versions.create(application, body, by);
  }
}
