import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { checkSlug } from '../../applications/applications/application.rules.js';
import { DEVELOP } from '../experience-versions/experience-version.columns.js';
import { ExperienceVersionsRepository } from '../experience-versions/experience-versions.repository.js';
import type { ExperienceSlug, ExperienceSlugPatch, ExperienceSlugPost } from './experience-slug.resource.js';
import { ExperienceSlugsRepository } from './experience-slugs.repository.js';

const RESERVED_SLUG = 'experienceSlug is the ID of the application';

/**
 * Manages the slugs of applications. Only the version of the default slug, which is the ID of the application, can be
 * changed.
 */
@Injectable()
export class ExperienceSlugsService {
  constructor(
    private readonly slugs: ExperienceSlugsRepository,
    private readonly versions: ExperienceVersionsRepository,
    private readonly database: Database,
  ) {}

  list(applicationId: string): Promise<StoredPage<ExperienceSlug>> {
    return this.slugs.all(applicationId);
  }

  create(
    application: ApplicationAccess,
    { slug, version = DEVELOP }: ExperienceSlugPost,
    by: Author,
  ): Promise<StoredResource<ExperienceSlug>> {
    checkSlug(slug, 'experienceSlug.slug');
    return this.database.transaction(async (transaction) => {
      const versionId = await this.pointAt(application.id, version, transaction);
      return this.slugs.addToApplication(application, { slug, versionId }, by, transaction);
    });
  }

  get(applicationId: string, id: string): Promise<StoredResource<ExperienceSlug>> {
    return this.slugs.findOneOrFail(applicationId, id);
  }

  patch(
    applicationId: string,
    id: string,
    { slug, version }: ExperienceSlugPatch,
    by: Author,
  ): Promise<StoredResource<ExperienceSlug>> {
    if (slug !== undefined && id === applicationId)
      throw new ValidationError(`${RESERVED_SLUG}, which cannot be changed`);
    if (slug !== undefined) checkSlug(slug, 'experienceSlug.slug');
    return this.database.transaction(async (transaction) => {
      if (slug !== undefined) await this.slugs.lockApplication(applicationId, transaction);
      const pointed =
        version === undefined ? {} : { versionId: await this.pointAt(applicationId, version, transaction) };
      return this.slugs.update(applicationId, id, { slug, ...pointed }, by, transaction);
    });
  }

  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    if (id === applicationId) throw new ValidationError(`${RESERVED_SLUG}, which cannot be deleted`);
    await this.database.transaction(async (transaction) => {
      await this.slugs.lockApplication(applicationId, transaction);
      await this.slugs.delete(applicationId, id, by, transaction);
    });
    return new Success();
  }

  /** Returns the version with a name or ID and locks it until the transaction ends. Throws 400 if it does not exist. */
  private pointAt(
    applicationId: string,
    version: string | null,
    transaction: Transaction,
  ): Promise<string | null> {
    return this.versions.setVersion(applicationId, version, 'experienceSlug.version', transaction);
  }
}
