import { Injectable } from '@nestjs/common';
import { demand } from '../../platform/access/access.guard.js';
import type { Principal } from '../../platform/access/principal.js';
import type { ApplicationAccess } from '../../platform/access/request.js';
import { SecretBox } from '../../platform/crypto/secrets.js';
import { Database, violatedUnique } from '../../platform/database/database.js';
import { NotFound, ValidationError } from '../../platform/errors/errors.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import type { SummaryQuery } from '../../platform/list/query-fields.js';
import { newId } from '../../platform/resource.js';
import type { Stored, StoredPage } from '../../platform/response/answers.js';
import { Success } from '../../platform/shared.schemas.js';
import {
  Application,
  type ApplicationGlobal,
  type ApplicationGlobalChange,
  type ApplicationPatch,
  type ApplicationPost,
  type ArchiveConfig,
} from './application.resource.js';
import { checkArchiveConfig, checkGlobals, mergeGlobals, splitSecrets } from './application.rules.js';
import { applicationSummary } from './application.schemas.js';
import type { ApplicationsQuery } from './applications.controller.js';
import { APPLICATION_PURGE } from './applications.jobs.js';
import { ApplicationsRepository } from './applications.repository.js';

/** Applications: making, finding, changing and removing them. */
@Injectable()
export class ApplicationsService {
  constructor(
    private readonly applications: ApplicationsRepository,
    private readonly database: Database,
    private readonly jobs: JobsService,
    private readonly secrets: SecretBox,
  ) {}

  list(caller: Principal, query: ApplicationsQuery): Promise<StoredPage<Application>> {
    const ownerId = query.orgId === '' ? caller.userId : query.orgId;
    return this.applications.page(caller, query.list, applicationSummary.choose(query), ownerId);
  }

  async create(caller: Principal, post: ApplicationPost, query: SummaryQuery): Promise<Stored<Application>> {
    const { orgId, applicationTemplateId, archiveConfig, ...given } = post;
    const summary = applicationSummary.choose(query);
    const ownerId = orgId?.toLowerCase() ?? caller.userId;
    const ownerType = orgId ? 'organization' : 'user';
    const role = orgId ? caller.roleInOrganization(ownerId) : caller.roleOn({ id: '', ownerId });
    demand(role, 'edit', orgId ? 'Organization' : 'Sandbox');
    if (applicationTemplateId)
      throw new ValidationError('application.applicationTemplateId names no template');
    checkGlobals(post.globals ?? [], 'application.globals');
    const id = newId();
    const now = new Date();
    const archive = archiveConfig ? this.sealed(id, archiveConfig, ownerType) : {};
    const row = {
      id,
      ownerId,
      ownerType,
      creationDate: now,
      lastUpdated: now,
      ...given,
      ...archive,
    } as Partial<Application>;
    return this.unique(() => this.applications.add(row, summary));
  }

  get(caller: Principal, id: string, query: SummaryQuery): Promise<Stored<Application>> {
    return this.applications.obtain(caller, id, applicationSummary.choose(query));
  }

  async patch(
    caller: Principal,
    id: string,
    patch: ApplicationPatch,
    query: SummaryQuery,
  ): Promise<Stored<Application>> {
    const { archiveConfig, ...given } = patch;
    const summary = applicationSummary.choose(query);
    checkGlobals(patch.globals ?? [], 'application.globals');
    const archive = archiveConfig === undefined ? {} : await this.archiveChange(caller, id, archiveConfig);
    return this.unique(() => this.applications.change(caller, id, { ...given, ...archive }, summary));
  }

  /** Merges changes by key. The row is locked meanwhile, so changes to different keys that come at once all stay. */
  async patchGlobals(
    caller: Principal,
    { id }: ApplicationAccess,
    changes: readonly ApplicationGlobalChange[],
  ): Promise<Stored<Application>> {
    checkGlobals(changes, 'globals');
    await this.database.transaction(async ({ manager }) => {
      const application = await manager.findOne(Application, {
        select: { id: true, globals: true },
        where: { id },
        lock: { mode: 'pessimistic_write' },
      });
      if (!application) throw new NotFound('Application');
      const globals: ApplicationGlobal[] = mergeGlobals(application.globals ?? [], changes);
      await manager.update(Application, { id }, { globals, lastUpdated: new Date() });
    });
    return this.get(caller, id, {});
  }

  /** The application is gone at once for everyone; a job removes what belonged to it. */
  async delete(caller: Principal, { id }: ApplicationAccess): Promise<Success> {
    await this.database.transaction(async (transaction) => {
      const marked = await transaction.manager
        .createQueryBuilder()
        .update(Application)
        .set({ deletedAt: new Date(), endpointSlug: null as unknown as undefined })
        .where('id = :id AND deleted_at IS NULL', { id })
        .execute();
      if (!marked.affected) throw new NotFound('Application');
      await this.jobs.enqueue(transaction, APPLICATION_PURGE, { applicationId: id }, caller.actor);
    });
    return new Success();
  }

  /** A changed archive configuration keeps the secrets that the change does not give again. */
  private async archiveChange(
    caller: Principal,
    id: string,
    config: ArchiveConfig | null,
  ): Promise<Partial<Application>> {
    if (config === null)
      return { archiveConfig: null, archiveSecrets: null } as unknown as Partial<Application>;
    const application = await this.applications.obtain(caller, id, [], 'collaborate');
    const sealed = this.sealed(id, config, application.text('ownerType') as 'user' | 'organization');
    return sealed.archiveSecrets === null ? { archiveConfig: sealed.archiveConfig } : sealed;
  }

  private sealed(id: string, config: ArchiveConfig, ownerType: 'user' | 'organization') {
    checkArchiveConfig(config, ownerType);
    const { shown, secrets } = splitSecrets(config);
    const archiveSecrets = Object.keys(secrets).length
      ? this.secrets.seal(JSON.stringify(secrets), `applications:archive_secrets:${id}`)
      : null;
    return { archiveConfig: shown, archiveSecrets };
  }

  private async unique<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (violatedUnique(error) === 'applications_slug')
        throw new ValidationError('application.endpointSlug is not available');
      throw error;
    }
  }
}
