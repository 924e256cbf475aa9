import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ExperienceFlowsService } from '../../flows/flows/experience-flows.service.js';
import type {
  ExperienceVersion,
  ExperienceVersionPatch,
  ExperienceVersionPost,
} from './experience-version.resource.js';
import { checkSettings, checkVersionName, settingsOf } from './experience-version.rules.js';
import { ExperienceVersionsRepository } from './experience-versions.repository.js';

/**
 * Manages versions of experiences. Creating a version locks `develop` first, so that its settings belong to the same
 * snapshot as the other contents.
 */
@Injectable()
export class ExperienceVersionsService {
  constructor(
    private readonly versions: ExperienceVersionsRepository,
    private readonly flows: ExperienceFlowsService,
    private readonly database: Database,
  ) {}

  list(application: ApplicationAccess, list: ListParameters): Promise<StoredPage<ExperienceVersion>> {
    return this.versions.findApplicationPage(application, list);
  }

  async create(
    application: ApplicationAccess,
    post: ExperienceVersionPost,
    by: Author,
  ): Promise<StoredResource<ExperienceVersion>> {
    const { domainIds = [], slugIds = [], ...given } = post;
    checkVersionName(given.version);
    checkSettings(given);
    const { id: applicationId } = application;
    const version = await this.database.transaction(async (transaction) => {
      const develop = await this.versions.lock(applicationId, applicationId, transaction);
      const row = { ...settingsOf(develop), ...given };
      const added = await this.versions.addToApplication(application, row, by, transaction);
      const id = added.text('id')!;
      await this.versions.freeze(id, transaction);
      await this.versions.attach({ applicationId, id }, 'domainIds', domainIds, transaction);
      await this.versions.attach({ applicationId, id }, 'slugIds', slugIds, transaction);
      return added;
    });
    // The inserted row has no domains and slugs yet.
    const attaches = domainIds.length + slugIds.length > 0;
    return attaches ? this.versions.findOneOrFail(applicationId, version.text('id')!) : version;
  }

  get(applicationId: string, idOrName: string): Promise<StoredResource<ExperienceVersion>> {
    return this.versions.obtainNamed(applicationId, idOrName);
  }

  async patch(
    applicationId: string,
    idOrName: string,
    patch: ExperienceVersionPatch,
    by: Author,
  ): Promise<StoredResource<ExperienceVersion>> {
    const { sourceVersionIdOrName: source, ...settings } = patch;
    checkSettings(settings);
    const { id } = await this.versions.findKnownOrFail(applicationId, idOrName);
    if (source === undefined) return this.versions.update(applicationId, id, settings, by);
    if (id !== applicationId)
      throw new ValidationError('experienceVersion.sourceVersionIdOrName is supported only for develop');
    return this.restore(applicationId, source, settings, by);
  }

  /** Replaces the contents and settings of `develop` with those of a version. */
  private restore(
    applicationId: string,
    source: string,
    settings: ExperienceVersionPatch,
    by: Author,
  ): Promise<StoredResource<ExperienceVersion>> {
    return this.database.transaction(async (transaction) => {
      await this.versions.lock(applicationId, applicationId, transaction);
      const found = await this.versions.find(applicationId, source, transaction);
      if (!found || found.id === applicationId)
        throw new ValidationError(
          'experienceVersion.sourceVersionIdOrName must be another version of the experience',
        );
      const version = await this.versions.lock(applicationId, found.id, transaction);
      await this.flows.clearDevelop(applicationId, { except: version.version, by }, transaction);
      await this.versions.thaw(version.id, transaction);
      const changes = { ...settingsOf(version), ...settings };
      return this.versions.update(applicationId, applicationId, changes, by, transaction);
    });
  }

  async delete(applicationId: string, idOrName: string, by: Author): Promise<Success> {
    await this.database.transaction(async (transaction) => {
      const { id, name } = await this.versions.findKnownOrFail(applicationId, idOrName, transaction);
      if (id === applicationId) throw new ValidationError('experienceVersion develop cannot be deleted');
      await this.versions.delete(applicationId, id, by, transaction);
      await this.flows.dropVersion(applicationId, name, by, transaction);
    });
    return new Success();
  }
}
