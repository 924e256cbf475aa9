import { Injectable } from '@nestjs/common';
import { AccessCache } from '../../platform/access/access-cache.js';
import type { Principal } from '../../platform/access/principal.js';
import { Rights } from '../../platform/access/rights.js';
import type { ApplicationAccess } from '../../platform/access/request.js';
import { writeEntry, type Entry } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { applicationSummary } from '../../platform/counts/summaries.js';
import { SecretBox } from '../../platform/crypto/secrets.js';
import { Database, violatedUnique } from '../../platform/database/database.js';
import { NotFound, ValidationError } from '../../platform/errors/errors.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { demandWithinLimit } from '../../platform/limits.js';
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
import { APPLICATION_PURGE } from './applications.jobs.js';
import type { ApplicationsQuery } from './applications.query.js';
import { APPLICATIONS_OWNED, ApplicationsRepository } from './applications.repository.js';

type NewApplication = Partial<Application> & Pick<Application, 'ownerId' | 'ownerType'>;

/** Applications: making, finding, changing and removing them. */
@Injectable()
export class ApplicationsService {
  constructor(
    private readonly applications: ApplicationsRepository,
    private readonly database: Database,
    private readonly jobs: JobsService,
    private readonly secrets: SecretBox,
    private readonly cache: AccessCache,
    private readonly rights: Rights,
  ) {}

  list(caller: Principal, query: ApplicationsQuery): Promise<StoredPage<Application>> {
    const ownerId = query.orgId === '' ? caller.userId : query.orgId;
    return this.applications.page(caller, query.list, applicationSummary.choose(query), ownerId);
  }

  async create(post: ApplicationPost, query: SummaryQuery, by: Author): Promise<Stored<Application>> {
    const { caller } = by;
    const { orgId, applicationTemplateId, archiveConfig, ...given } = post;
    const summary = applicationSummary.choose(query);
    const ownerId = orgId?.toLowerCase() ?? caller.userId;
    const ownerType = orgId ? 'organization' : 'user';
    const membership = orgId ? await this.rights.membership(caller, ownerId) : undefined;
    if (orgId) caller.demandInOrganization(ownerId, 'edit', membership);
    else caller.demandOn({ id: '', ownerId }, 'edit', undefined);
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
    } as NewApplication;
    const isLimited = caller.limitsApplications(ownerId, membership);
    return this.unique(() => this.add(row, isLimited, summary, by));
  }

  get(caller: Principal, id: string, query: SummaryQuery): Promise<Stored<Application>> {
    return this.applications.obtain(caller, id, applicationSummary.choose(query));
  }

  async patch(
    id: string,
    patch: ApplicationPatch,
    query: SummaryQuery,
    by: Author,
  ): Promise<Stored<Application>> {
    const { archiveConfig, ...given } = patch;
    const summary = applicationSummary.choose(query);
    checkGlobals(patch.globals ?? [], 'application.globals');
    const archive = archiveConfig === undefined ? {} : await this.archiveChange(by.caller, id, archiveConfig);
    return this.unique(() => this.applications.change(id, { ...given, ...archive }, summary, by));
  }

  /** Merges changes by key. The row is locked meanwhile, so changes to different keys that come at once all stay. */
  async patchGlobals(
    { id, ownerId }: ApplicationAccess,
    changes: readonly ApplicationGlobalChange[],
    by: Author,
  ): Promise<Stored<Application>> {
    checkGlobals(changes, 'globals');
    await this.database.transaction(async ({ manager }) => {
      const application = await manager.findOne(Application, {
        select: { id: true, name: true, globals: true },
        where: { id, ownerId },
        lock: { mode: 'pessimistic_write' },
      });
      if (!application) throw new NotFound('Application');
      const globals: ApplicationGlobal[] = mergeGlobals(application.globals ?? [], changes);
      await manager.update(Application, { id }, { globals, lastUpdated: new Date() });
      await writeEntry(manager, by, entryOf(ownerId, application));
    });
    return this.get(by.caller, id, {});
  }

  /** The application is gone at once for everyone; a job removes what belonged to it. */
  async delete({ id, ownerId }: ApplicationAccess, by: Author): Promise<Success> {
    await this.database.transaction(async (transaction) => {
      const updated = await transaction.manager
        .createQueryBuilder()
        .update(Application)
        .set({ deletedAt: new Date(), endpointSlug: null as unknown as undefined })
        .where('id = :id AND owner_id = :ownerId AND deleted_at IS NULL', { id, ownerId })
        .returning('id, name')
        .execute();
      const [application] = updated.raw as { id: string; name: string }[];
      if (!application) throw new NotFound('Application');
      await writeEntry(transaction.manager, by, entryOf(ownerId, application));
      await this.jobs.enqueue(transaction, APPLICATION_PURGE, { applicationId: id }, by);
    });
    await this.cache.drop(id);
    return new Success();
  }

  /** One statement, unless the owner may have only so many. */
  private add(
    row: NewApplication,
    isLimited: boolean,
    summary: readonly string[],
    by: Author,
  ): Promise<Stored<Application>> {
    const { ownerId, ownerType } = row;
    if (!isLimited) return this.applications.add(row, summary, by);
    const owner = { table: ownerType === 'organization' ? 'orgs' : 'users', id: ownerId } as const;
    return this.database.transaction(async (transaction) => {
      await demandWithinLimit(transaction.manager, owner, 'application', APPLICATIONS_OWNED);
      return this.applications.add(row, summary, by, transaction);
    });
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

/** A sandbox keeps no log: there is no organization of its owner's id. */
function entryOf(ownerId: string, { id, name }: { id: string; name: string }): Entry {
  return { organization: { id: ownerId, primary: { type: 'Application', id, name } }, response: { id } };
}
