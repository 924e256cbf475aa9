import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { ExperienceSlug, ExperienceSlugPatch } from './experience-slug.resource.js';
import { ExperienceSlugsService } from './experience-slugs.service.js';

@ChangesSites()
@Controller('applications/:applicationId/experience/slugs/:experienceSlugId')
export class ExperienceSlugController {
  constructor(private readonly slugs: ExperienceSlugsService) {}

  @Get()
  @Operation('experienceSlug.get', {
    summary: 'Returns a slug of an experience',
    description: 'Returns a slug. The default slug of an application has the same ID as the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: ExperienceSlug },
    missing: 'slug',
  })
  get(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('experienceSlugId') id: string,
  ): Promise<StoredResource<ExperienceSlug>> {
    return this.slugs.get(applicationId, id);
  }

  @Patch()
  @Operation('experienceSlug.patch', {
    summary: 'Updates a slug of an experience',
    description:
      'Omitted properties keep their value. Only the version of the default slug, which is the ID of the application, can be changed. If the slug is the `endpointSlug` of the application, that property changes as well.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { experienceSlug: ExperienceSlugPatch },
    example: { version: 'develop' },
    returns: { 200: ExperienceSlug },
    missing: 'slug',
  })
  patch(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('experienceSlugId') id: string,
    @Body() body: ExperienceSlugPatch,
    @By() by: Author,
  ): Promise<StoredResource<ExperienceSlug>> {
    return this.slugs.patch(applicationId, id, body, by);
  }

  @Delete()
  @Operation('experienceSlug.delete', {
    summary: 'Deletes a slug of an experience',
    description:
      'Deletes the slug and releases its name. If it is the `endpointSlug` of the application, that property is removed. Returns `400` for the default slug, which is the ID of the application and cannot be deleted.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'slug',
  })
  delete(
    @CurrentApplication() { id: applicationId }: ApplicationAccess,
    @Param('experienceSlugId') id: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.slugs.delete(applicationId, id, by);
  }
}
