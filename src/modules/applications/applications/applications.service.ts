import { Injectable } from '@nestjs/common';
import { AccessCache } from '../../../platform/access/access-cache.js';
import type { Principal } from '../../../platform/access/principal.js';
import { Permissions } from '../../../platform/access/permissions.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { applicationSummary } from '../../../platform/counts/summaries.js';
import type { Changes } from '../../../platform/database/changes.js';
import { Database } from '../../../platform/database/database.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { SummaryQuery } from '../../../platform/lists/query-fields.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import type {
  Application,
  ApplicationGlobal,
  ApplicationGlobalChange,
  ApplicationPatch,
  ApplicationPost,
  ArchiveConfig,
} from './application.resource.js';
import { checkGlobals } from '../../../workflows/graph/globals.js';
import { checkSlug, mergeGlobals } from './application.rules.js';
import { APPLICATION_PURGE } from './applications.jobs.js';
import type { ApplicationsQuery } from './applications.query.js';
import { ApplicationsRepository } from './applications.repository.js';
import { ArchiveSettings } from './archive-settings.js';
import { TemplateApplications } from './template-applications.js';

const SLUG = 'application.endpointSlug';

/** Creates, lists, updates and deletes applications. */
@Injectable()
export class ApplicationsService {
  constructor(
    private readonly applications: ApplicationsRepository,
    private readonly database: Database,
    private readonly jobs: JobsService,
    private readonly archives: ArchiveSettings,
    private readonly templates: TemplateApplications,
    private readonly cache: AccessCache,
    private readonly permissions: Permissions,
  ) {}

  list(caller: Principal, query: ApplicationsQuery): Promise<StoredPage<Application>> {
    const ownerId = query.orgId === '' ? caller.userId : query.orgId;
    return this.applications.page(caller, query.list, applicationSummary.choose(query), ownerId);
  }

  async create(post: ApplicationPost, query: SummaryQuery, by: Author): Promise<StoredResource<Application>> {
    const { caller } = by;
    const { orgId, applicationTemplateId, archiveConfig, ...given } = post;
    const summary = applicationSummary.choose(query);
    const ownerId = orgId?.toLowerCase() ?? caller.userId;
    const ownerType = orgId ? 'organization' : 'user';
    const membership = orgId ? await this.permissions.membership(caller, ownerId) : undefined;
    if (orgId) caller.assertRoleInOrganization(ownerId, 'edit', membership);
    else caller.assertRoleOn({ id: '', ownerId }, 'edit', undefined);
    checkGlobals(post.globals ?? [], 'application.globals');
    checkSlug(post.endpointSlug, SLUG);
    const id = newId();
    const now = new Date();
    const archive = archiveConfig
      ? await this.archives.accept({
          applicationId: id,
          ownerType,
          config: archiveConfig,
          globals: post.globals,
        })
      : {};
    if (applicationTemplateId) {
      const asked = { templateId: applicationTemplateId, overrides: { ...given, ...archive } };
      await this.templates.create({ ...asked, application: { id, ownerId, ownerType } }, by);
      return this.applications.obtain(caller, id, summary);
    }
    const row = {
      id,
      ownerId,
      ownerType,
      creationDate: now,
      lastUpdated: now,
      ...given,
      ...archive,
    } as const;
    return caller.limitsApplications(ownerId, membership)
      ? this.applications.addLimited(row, summary, by)
      : this.applications.add(row, summary, by);
  }

  get(caller: Principal, id: string, query: SummaryQuery): Promise<StoredResource<Application>> {
    return this.applications.obtain(caller, id, applicationSummary.choose(query));
  }

  async patch(
    id: string,
    patch: ApplicationPatch,
    query: SummaryQuery,
    by: Author,
  ): Promise<StoredResource<Application>> {
    const { archiveConfig, ...given } = patch;
    const summary = applicationSummary.choose(query);
    checkGlobals(patch.globals ?? [], 'application.globals');
    checkSlug(patch.endpointSlug, SLUG);
    const archive =
      archiveConfig === undefined
        ? {}
        : await this.archiveChange(by.caller, id, archiveConfig, patch.globals);
    return this.applications.change(id, { ...given, ...archive }, summary, by);
  }

  /** Merges changes by key. The row is locked, so concurrent changes to different keys are all kept. */
  async patchGlobals(
    application: ApplicationAccess,
    changes: readonly ApplicationGlobalChange[],
    by: Author,
  ): Promise<StoredResource<Application>> {
    checkGlobals(changes, 'globals');
    await this.database.transaction(async (transaction) => {
      const { globals } = await this.applications.lock(application, transaction);
      const merged = mergeGlobals(globals ?? [], changes);
      await this.applications.set(application, { globals: merged }, by, transaction);
    });
    return this.get(by.caller, application.id, {});
  }

  /** Deletes the application immediately; a job then removes its contents. */
  async delete(application: ApplicationAccess, by: Author): Promise<Success> {
    const { id } = application;
    await this.database.transaction(async (transaction) => {
      await this.applications.remove(application, by, transaction);
      await this.jobs.enqueue(transaction, APPLICATION_PURGE, { applicationId: id }, by);
    });
    await this.cache.evict(id);
    return new Success();
  }

  private async archiveChange(
    caller: Principal,
    applicationId: string,
    config: ArchiveConfig | null,
    globals: readonly ApplicationGlobal[] | undefined,
  ): Promise<Changes<Application>> {
    if (config === null) return { archiveConfig: null, archiveSecrets: null };
    const application = await this.applications.obtain(caller, applicationId, [], 'collaborate');
    const ownerType = application.text('ownerType') as Application['ownerType'];
    return this.archives.accept({ applicationId, ownerType, config, globals });
  }
}
