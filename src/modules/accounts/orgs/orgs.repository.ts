import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, type Repository } from 'typeorm';
import type { Principal } from '../../../platform/access/principal.js';
import { organizationReach, organizationsReach } from '../../../platform/access/reach.js';
import { withEntry, type AuditTarget } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { countSql } from '../../../platform/counts/counts.js';
import { orgSummary } from '../../../platform/counts/summaries.js';
import type { Changes } from '../../../platform/database/changes.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { insertion, returning, shaped, update } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { DEFAULT_LIMITS, assertWithinLimit } from '../../../platform/holdings/limits.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runList } from '../../../platform/lists/run-list.js';
import { StoredResource, type StoredPage } from '../../../platform/responses/stored-resources.js';
import type { RecentKind } from '../../../platform/recent/recent-kinds.js';
import { InstancesRepository } from '../instances/instances.repository.js';
import { DISABLED_AT } from './org.columns.js';
import { MAX_EMBEDDED_MEMBERS, Org } from './org.resource.js';

/** `OFFSET 0` forces a lookup by key, which prevents the planner from scanning all users. */
const MEMBERS = `SELECT u.email, json_strip_nulls(json_build_object(
    'userId', u.id, 'email', u.email, 'firstName', u.first_name, 'lastName', u.last_name, 'role', m.role,
    'applicationRoles', m.application_roles, 'dashboardRoles', m.dashboard_roles,
    'twoFactorAuthEnabled', u.two_factor_key IS NOT NULL, 'ssoLinked', u.sso_linked)) AS member
  FROM org_members m CROSS JOIN LATERAL
    (SELECT * FROM users u WHERE u.id = m.user_id AND u.permanent_deletion IS NULL OFFSET 0) u
  WHERE m.org_id = t.id`;
const MEMBERS_JSON = `coalesce(json_agg(s.member ORDER BY s.email), '[]')`;
const ALL_MEMBERS = `(SELECT ${MEMBERS_JSON} FROM (${MEMBERS}) s)`;
/** Null if there are more than `MAX_EMBEDDED_MEMBERS`, which is determined without reading more rows than that. */
const EMBEDDED_MEMBERS = `(SELECT CASE WHEN count(*) <= ${MAX_EMBEDDED_MEMBERS} THEN ${MEMBERS_JSON} END
  FROM (${MEMBERS} LIMIT ${MAX_EMBEDDED_MEMBERS + 1}) s)`;

/** Organizations in the recently viewed items of users. */
export const RECENT_ORG: RecentKind = {
  table: 'orgs',
  seenBy: (caller, values) => organizationReach(caller, 'view', values),
};

const TITLE = 'Organization';
const PRESENT = ['t.id = $1', 't.deleted_at IS NULL'];
const AUDITED: AuditTarget = { log: 'organization', join: 'JOIN orgs o ON o.id = t.id' };

/** SQL of the number of organizations in the instance `t`. */
const COUNT = countSql('t.id', `'orgCount'`);

/** Default properties of a new organization. */
const DEFAULTS = { mfaMode: 'notRequired', isReadOnly: false } as const;

/** Repository of organizations. Access has already been checked. */
@Injectable()
export class OrgsRepository {
  constructor(
    @InjectRepository(Org) private readonly rows: Repository<Org>,
    private readonly instances: InstancesRepository,
    private readonly database: Database,
  ) {}

  /** Returns the organization, with all of its members if `whole` is set. */
  async obtain(id: string, summary: readonly string[], { whole = false } = {}): Promise<StoredResource<Org>> {
    const shape = shapeWith(summary, whole ? ALL_MEMBERS : EMBEDDED_MEMBERS);
    const [row] = await this.database.run(
      shaped(`SELECT ${shape.columns} FROM orgs t WHERE t.id = $1 AND t.deleted_at IS NULL`, [id]),
    );
    if (!row) throw new NotFound(TITLE);
    return new StoredResource(shape, row);
  }

  async change(
    id: string,
    changes: Changes<Org>,
    summary: readonly string[],
    by: Author,
  ): Promise<StoredResource<Org>> {
    const shape = shapeWith(summary);
    const set = { ...changes, lastUpdated: new Date() };
    const change = update(Org, 'orgs', set, PRESENT, [id]);
    const [row] = await this.database.run(withEntry(change, shape.columns, AUDITED, by));
    if (!row) throw new NotFound(TITLE);
    return new StoredResource(shape, row);
  }

  /** Returns a page of the organizations that the caller can view, with their members and summaries. */
  page(caller: Principal, list: ListParameters, summary: readonly string[]): Promise<StoredPage<Org>> {
    const values: unknown[] = [];
    const where = [organizationsReach(caller, 'view', values)];
    const owner = caller.subject.id;
    return runList(this.database, shapeWith(summary), { table: 'orgs', owner, where, values, list });
  }

  /**
   * Locks organizations until the transaction ends, in order of ID to prevent deadlocks. Throws 404 if one does not
   * exist.
   */
  async lockAll(ids: readonly string[], transaction: Transaction): Promise<void> {
    const locked = await this.within(transaction).find({
      select: { id: true },
      where: { id: In(ids), deletedAt: IsNull() },
      order: { id: 'ASC' },
      lock: { mode: 'for_no_key_update' },
    });
    if (locked.length < ids.length) throw new NotFound(TITLE);
  }

  /** Locks the organization until the transaction ends. Throws 404, which names `title`, if it does not exist. */
  async lock(id: string, transaction: Transaction, title = TITLE): Promise<Org> {
    const lock = { mode: 'for_no_key_update' } as const;
    const org = await this.within(transaction).findOne({ where: { id, deletedAt: IsNull() }, lock });
    if (!org) throw new NotFound(title);
    return org;
  }

  /**
   * Inserts an organization with the default limits of its instance, unless it has its own. Throws 400 if this would
   * exceed the limit of the instance.
   */
  async add(
    row: Changes<Org> & Pick<Org, 'id' | 'instanceId' | 'name'>,
    transaction: Transaction,
  ): Promise<void> {
    const { instanceId } = row;
    const instance = { table: 'instances', id: instanceId } as const;
    await assertWithinLimit(transaction.manager, instance, 'organization', COUNT);
    const limits = (await this.instances.limitsOfOrganizations(instanceId, transaction)) ?? DEFAULT_LIMITS;
    const now = new Date();
    const whole = { creationDate: now, lastUpdated: now, ...DEFAULTS, limits, ...row };
    await transaction.run(returning(insertion(Org, 'orgs', whole), 't.id'));
  }

  /** Updates a locked organization. The caller writes the audit log entries. */
  async set(id: string, changes: Changes<Org>, transaction: Transaction): Promise<void> {
    const set = { ...changes, lastUpdated: new Date() };
    await transaction.run(returning(update(Org, 'orgs', set, PRESENT, [id]), 't.id'));
  }

  /** Marks a locked organization as deleted, which makes it inaccessible. */
  async remove(id: string, transaction: Transaction): Promise<void> {
    await this.within(transaction).update({ id }, { deletedAt: new Date() });
  }

  isRemoved(id: string): Promise<boolean> {
    return this.rows.existsBy({ id, deletedAt: Not(IsNull()) });
  }

  private within({ manager }: Transaction): Repository<Org> {
    return manager.withRepository(this.rows);
  }
}

function shapeWith(summary: readonly string[], members = EMBEDDED_MEMBERS): RowShape<Org> {
  const computed = [DISABLED_AT, { property: 'members', kind: 'json', sql: members } as const];
  return new RowShape<Org>(Org, [...computed, orgSummary.property(summary)]);
}
