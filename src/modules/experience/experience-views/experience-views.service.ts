import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ExperienceVersionsRepository } from '../experience-versions/experience-versions.repository.js';
import type { ExperienceView, ExperienceViewPatch, ExperienceViewPost } from './experience-view.resource.js';
import type { ExperienceViewsQuery } from './experience-views.query.js';
import { ExperienceViewsRepository } from './experience-views.repository.js';
import { checkBody, checkView, EMPTY_VIEW } from './view.rules.js';
import type { ViewType } from './view.schemas.js';

/** Manages the views of experiences. Only views in `develop` can be changed. */
@Injectable()
export class ExperienceViewsService {
  constructor(
    private readonly views: ExperienceViewsRepository,
    private readonly versions: ExperienceVersionsRepository,
    private readonly database: Database,
  ) {}

  async list(
    application: ApplicationAccess,
    { list, viewType, version }: ExperienceViewsQuery,
  ): Promise<StoredPage<ExperienceView>> {
    const kept = await this.versions.frozen(application.id, version);
    return this.views.listOf(application, { list, viewType, versionId: kept?.id });
  }

  create(
    application: ApplicationAccess,
    post: ExperienceViewPost,
    by: Author,
  ): Promise<StoredResource<ExperienceView>> {
    checkView(post);
    checkBody(post);
    const { layoutId: given, ...rest } = { ...EMPTY_VIEW, ...post };
    if (!given) return this.views.addToApplication(application, rest, by);
    return this.database.transaction(async (transaction) => {
      const layoutId = await this.assertLayout(application.id, post.viewType, given, transaction);
      return this.views.addToApplication(application, { ...rest, layoutId }, by, transaction);
    });
  }

  async get(applicationId: string, id: string, version: string): Promise<StoredResource<ExperienceView>> {
    const kept = await this.versions.frozen(applicationId, version);
    return kept
      ? this.views.obtainFrozen(applicationId, kept.id, id)
      : this.views.findOneOrFail(applicationId, id);
  }

  /** The type of a view cannot change, so it is read before the layout is verified. */
  patch(
    applicationId: string,
    id: string,
    patch: ExperienceViewPatch,
    by: Author,
  ): Promise<StoredResource<ExperienceView>> {
    checkView(patch);
    checkBody(patch);
    const { layoutId: given } = patch;
    if (!given) return this.views.update(applicationId, id, patch, by);
    return this.database.transaction(async (transaction) => {
      const { viewType } = await this.views.lock(applicationId, id, transaction);
      const layoutId = await this.assertLayout(applicationId, viewType, given, transaction);
      return this.views.update(applicationId, id, { ...patch, layoutId }, by, transaction);
    });
  }

  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.views.delete(applicationId, id, by);
    return new Success();
  }

  /**
   * Returns the ID of a layout in lower case. Throws 400 if it is not a layout of the application or the view is not a
   * page.
   */
  private async assertLayout(
    applicationId: string,
    viewType: ViewType,
    given: string,
    transaction: Transaction,
  ): Promise<string> {
    const id = given.toLowerCase();
    if (viewType !== 'page') throw new ValidationError('experienceView.layoutId is supported only for pages');
    if (!(await this.views.isLayout(applicationId, id, transaction)))
      throw new ValidationError('experienceView.layoutId is not a layout of the application');
    return id;
  }
}
