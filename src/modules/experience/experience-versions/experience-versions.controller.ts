import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_GET, APPLICATION_GLOBALS } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import {
  ExperienceVersion,
  ExperienceVersionPost,
  ExperienceVersions,
} from './experience-version.resource.js';
import { ExperienceVersionsQuery } from './experience-versions.query.js';
import { ExperienceVersionsService } from './experience-versions.service.js';

@Controller('applications/:applicationId/experience/versions')
export class ExperienceVersionsController {
  constructor(private readonly versions: ExperienceVersionsService) {}

  @Get()
  @Operation('experienceVersions.get', {
    summary: 'Returns the versions of an experience',
    description:
      'With `develop`, the one that is being developed, which counts and limits of versions leave out. Needs the role `view` on the application.',
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
      'Keeps the endpoints, views and workflows of the experience as they are at this moment, all of one moment, under a new name; what is changed or deleted later stays in the version as it was. Their ids stay the same. Settings that the body leaves out are those of `develop`. Users, groups and their members are not part of a version, nor are globals and storage of the application. The domains of `domainIds` and the slugs of `slugIds`, which are of the application, point at the new version from now on. The limit `experienceversion` of the owner counts the versions of each application without `develop`. Nothing answers requests to an experience so far. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<ExperienceVersion>> {
    return this.versions.create(application, body, by);
  }
}
