import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CONFIGURE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { ExperienceVersion, ExperienceVersionPatch } from './experience-version.resource.js';
import { ExperienceVersionsService } from './experience-versions.service.js';
import { VersionNamePipe } from './version-name.pipe.js';

@ChangesSites()
@Controller('applications/:applicationId/experience/versions/:experienceVersionIdOrName')
export class ExperienceVersionController {
  constructor(private readonly versions: ExperienceVersionsService) {}

  @Get()
  @Operation('experienceVersion.get', {
    summary: 'Returns a version of an experience',
    description: 'Returns a version by ID or name. `develop` is the version under development.',
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: ExperienceVersion },
    missing: 'experience version',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('experienceVersionIdOrName', VersionNamePipe) idOrName: string,
  ): Promise<StoredResource<ExperienceVersion>> {
    return this.versions.get(id, idOrName);
  }

  @Patch()
  @Operation('experienceVersion.patch', {
    summary: 'Updates a version of an experience',
    description:
      'Updates the description and settings. Omitted properties keep their value. Arrays are replaced, not merged. The name of a version and its endpoints, views and workflows cannot be changed.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    body: { experienceVersion: ExperienceVersionPatch },
    example: { description: 'A page of alarms' },
    returns: { 200: ExperienceVersion },
    missing: 'experience version',
  })
  patch(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('experienceVersionIdOrName', VersionNamePipe) idOrName: string,
    @Body() body: ExperienceVersionPatch,
    @By() by: Author,
  ): Promise<StoredResource<ExperienceVersion>> {
    return this.versions.patch(id, idOrName, body, by);
  }

  @Delete()
  @Operation('experienceVersion.delete', {
    summary: 'Deletes a version of an experience',
    description:
      'Permanently deletes the version with its contents. Domains and slugs that point to it no longer point to any version. `develop` cannot be deleted.',
    scopes: APPLICATION_CONFIGURE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'experience version',
  })
  delete(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('experienceVersionIdOrName', VersionNamePipe) idOrName: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.versions.delete(id, idOrName, by);
  }
}
