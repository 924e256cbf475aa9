import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal.js';
import { writeEntry } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { Database } from '../../platform/database/database.js';
import { NotFound } from '../../platform/errors/errors.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { DEFAULT_LIMITS } from '../../platform/limits.js';
import type { SummaryQuery } from '../../platform/list/query-fields.js';
import { newId } from '../../platform/resource.js';
import type { Stored, StoredPage } from '../../platform/response/answers.js';
import { Success } from '../../platform/shared.schemas.js';
import { AccessCache } from '../../platform/access/access-cache.js';
import { Me } from '../me/me.resource.js';
import { Org, OrgMember, orgSummary, type OrgPatch, type OrgPost } from './org.resource.js';
import type { OrgsQuery } from './orgs.controller.js';
import { ORG_PURGE } from './orgs.jobs.js';
import { OrgsRepository } from './orgs.repository.js';

/** Organizations: making, finding, changing and removing them. */
@Injectable()
export class OrgsService {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly database: Database,
    private readonly jobs: JobsService,
    private readonly cache: AccessCache,
  ) {}

  list(caller: Principal, query: OrgsQuery): Promise<StoredPage<Org>> {
    return this.orgs.page(caller.organizationsWith('view'), query.list, orgSummary.choose(query));
  }

  /** The creator is the new organization's only member, an admin. */
  async create(
    { cardToken: _unused, ...post }: OrgPost,
    query: SummaryQuery,
    by: Author,
  ): Promise<Stored<Org>> {
    const { caller } = by;
    const summary = orgSummary.choose(query);
    const id = newId();
    const now = new Date();
    await this.database.transaction(async ({ manager }) => {
      const { instanceId } = await manager.findOneByOrFail(Me, { id: caller.userId });
      await manager.insert(Org, {
        id,
        instanceId,
        creationDate: now,
        lastUpdated: now,
        mfaMode: 'notRequired',
        limits: DEFAULT_LIMITS,
        isReadOnly: false,
        ...post,
      });
      await manager.insert(OrgMember, { orgId: id, userId: caller.userId, role: 'admin', creationDate: now });
    });
    await this.cache.drop(caller.userId);
    return this.orgs.obtain(id, summary);
  }

  get(id: string, query: SummaryQuery): Promise<Stored<Org>> {
    return this.orgs.obtain(id, orgSummary.choose(query));
  }

  patch(
    id: string,
    { cardToken: _unused, ...patch }: OrgPatch,
    query: SummaryQuery,
    by: Author,
  ): Promise<Stored<Org>> {
    return this.orgs.change(id, patch, orgSummary.choose(query), by);
  }

  /** The organization is gone at once for every member, with its log; that of the instance tells of it. */
  async delete(id: string, by: Author): Promise<Success> {
    const members = await this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      const { raw } = await manager
        .createQueryBuilder()
        .update(Org)
        .set({ deletedAt: new Date() })
        .where('id = :id AND deleted_at IS NULL', { id })
        .returning('id, name, instance_id')
        .execute();
      const [org] = raw as { id: string; name: string; instance_id: string }[];
      if (!org) throw new NotFound('Organization');
      const primary = { type: 'Organization', id, name: org.name };
      await writeEntry(manager, by, { instance: { id: org.instance_id, primary }, response: { id } });
      await this.jobs.enqueue(transaction, ORG_PURGE, { orgId: id }, by);
      return manager.find(OrgMember, { select: { userId: true }, where: { orgId: id } });
    });
    await Promise.all(members.map(({ userId }) => this.cache.drop(userId)));
    return new Success();
  }
}
