import { Body, Controller, Get, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_BROWSE, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { ExperienceSlug, ExperienceSlugPost, ExperienceSlugs } from './experience-slug.resource.js';
import { ExperienceSlugsService } from './experience-slugs.service.js';

@Controller('applications/:applicationId/experience/slugs')
export class ExperienceSlugsController {
  constructor(private readonly slugs: ExperienceSlugsService) {}

  @Get()
  @Operation('experienceSlugs.get', {
    summary: 'Returns the slugs of an experience',
    description:
      'All of them, by name. One is the id of the application, made with it, and one its `endpointSlug` where it has one. Needs the role `view` on the application.',
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
      'Its name must be new on the platform, and must not be like an id: those are of applications. It points at `develop` unless `version` says otherwise. The limit `experienceslug` of the owner counts the slugs of each application but the one that is its id. Experiences are not served at their slugs yet. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<ExperienceSlug>> {
    return this.slugs.create(application, body, by);
  }
}
