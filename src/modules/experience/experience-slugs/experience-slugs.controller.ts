import { Body, Controller, Get, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { ExperienceSlug, ExperienceSlugPost, ExperienceSlugs } from './experience-slug.resource.js';
import { ExperienceSlugsService } from './experience-slugs.service.js';

@ChangesSites()
@Controller('applications/:applicationId/experience/slugs')
export class ExperienceSlugsController {
  constructor(private readonly slugs: ExperienceSlugsService) {}

  @Get()
  @Operation('experienceSlugs.get', {
    summary: 'Lists the slugs of an experience',
    description:
      'Returns all slugs, sorted by name. They include the default slug, which is the ID of the application, and its `endpointSlug`, if any.',
    scopes: APPLICATION_BROWSE,
    role: 'view',
    returns: { 200: ExperienceSlugs },
    missing: 'application',
  })
  list(@CurrentApplication() { id }: ApplicationAccess): Promise<StoredPage<ExperienceSlug>> {
    return this.slugs.list(id);
  }

  @Post()
  @Operation('experienceSlugs.post', {
    summary: 'Creates a slug of an experience',
    description:
      'Creates a slug. Its name must be unique on the platform and must not have the form of an ID, because IDs are reserved for applications. It points to `develop` unless `version` is set. The `experienceslug` limit of the owner applies to the number of slugs per application, excluding the default slug. The experience is served at `<slug>.<SITES_DOMAIN>`.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { experienceSlug: ExperienceSlugPost },
    example: { slug: 'pump-station' },
    returns: { 201: ExperienceSlug },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ExperienceSlugPost,
    @By() by: Author,
  ): Promise<StoredResource<ExperienceSlug>> {
    return this.slugs.create(application, body, by);
  }
}
