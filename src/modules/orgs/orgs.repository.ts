import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, type Repository } from 'typeorm';
import type { Principal } from '../../platform/access/principal.js';
import { organizationReach, organizationsReach } from '../../platform/access/reach.js';
import { withEntry, type Audited } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { orgSummary } from '../../platform/counts/summaries.js';
import type { Changes } from '../../platform/database/changes.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { RowShape, type Computed } from '../../platform/database/row-shape.js';
import { prepared, shaped, update } from '../../platform/database/statements.js';
import { NotFound } from '../../platform/errors/errors.js';
import type { ListParameters } from '../../platform/list/list-query.js';
import { runList } from '../../platform/list/run-list.js';
import { Stored, type StoredPage } from '../../platform/response/answers.js';
import { registerRecentKind } from '../../platform/recent/recent-kinds.js';
import { MOST_EMBEDDED, Org } from './org.resource.js';

/** Each user is read by their key: `OFFSET 0` keeps the planner from reading all that there are. */
const MEMBERS = `SELECT u.email, json_strip_nulls(json_build_object(
    'userId', u.id, 'email', u.email, 'firstName', u.first_name, 'lastName', u.last_name, 'role', m.role,
    'applicationRoles', m.application_roles, 'dashboardRoles', m.dashboard_roles,
    'twoFactorAuthEnabled', u.two_factor_key IS NOT NULL, 'ssoLinked', u.sso_linked)) AS member
  FROM org_members m CROSS JOIN LATERAL
    (SELECT * FROM users u WHERE u.id = m.user_id AND u.permanent_deletion IS NULL OFFSET 0) u
  WHERE m.org_id = t.id`;
const AS_LIST = `coalesce(json_agg(s.member ORDER BY s.email), '[]')`;
const ALL_MEMBERS = `(SELECT ${AS_LIST} FROM (${MEMBERS}) s)`;
/** Nothing where they are more than `MOST_EMBEDDED`: that takes no more than these to see. */
const FEW_MEMBERS = `(SELECT CASE WHEN count(*) <= ${MOST_EMBEDDED} THEN ${AS_LIST} END
  FROM (${MEMBERS} LIMIT ${MOST_EMBEDDED + 1}) s)`;

registerRecentKind('organization', {
  table: 'orgs',
  seenBy: (caller, values) => organizationReach(caller, 'view', values),
});

const AUDITED: Audited = { log: 'organization', join: 'JOIN orgs o ON o.id = t.id' };

/** Beside its column, which is empty where the document says `false`. */
export const DISABLED_AT: Computed = {
  property: 'disabledAt',
  kind: 'json',
  sql: `coalesce(to_json(to_char(t.disabled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), 'false')`,
};

/** The rows of organizations; who may read or change one is settled before. */
@Injectable()
export class OrgsRepository {
  constructor(
    @InjectRepository(Org) private readonly rows: Repository<Org>,
    private readonly database: Database,
  ) {}

  /** With all members, however many, where `whole` says so. */
  async obtain(id: string, summary: readonly string[], { whole = false } = {}): Promise<Stored<Org>> {
    const shape = shapeWith(summary, whole ? ALL_MEMBERS : FEW_MEMBERS);
    const [row] = await this.database.run(
      shaped(`SELECT ${shape.columns} FROM orgs t WHERE t.id = $1 AND t.deleted_at IS NULL`, [id]),
    );
    if (!row) throw new NotFound('Organization');
    return new Stored(shape, row);
  }

  async change(
    id: string,
    changes: Changes<Org>,
    summary: readonly string[],
    by: Author,
  ): Promise<Stored<Org>> {
    const shape = shapeWith(summary);
    const set = { ...changes, lastUpdated: new Date() };
    const where = ['t.id = $1', 't.deleted_at IS NULL'];
    const change = update(Org, 'orgs', set, where, [id]);
    const [row] = await this.database.run(withEntry(change, shape.columns, AUDITED, by));
    if (!row) throw new NotFound('Organization');
    return new Stored(shape, row);
  }

  /** A page of the organizations that the caller sees, with members and summary of those on it. */
  page(caller: Principal, list: ListParameters, summary: readonly string[]): Promise<StoredPage<Org>> {
    const values: unknown[] = [];
    const where = [organizationsReach(caller, 'view', values)];
    return runList(this.database, shapeWith(summary), { table: 'orgs', where, values, list });
  }

  /** Organizations, locked until the transaction ends, each by its id so that no two transactions wait for each other; or 404. */
  async lockAll(ids: readonly string[], { manager }: Transaction): Promise<void> {
    const locked = await manager.withRepository(this.rows).find({
      select: { id: true },
      where: { id: In(ids), deletedAt: IsNull() },
      order: { id: 'ASC' },
      lock: { mode: 'for_no_key_update' },
    });
    if (locked.length < ids.length) throw new NotFound('Organization');
  }

  /** Whether a user signs in with a second factor, or through a provider that sees to it. */
  async hasSecondFactor(userId: string): Promise<boolean> {
    const text = 'SELECT 1 FROM users WHERE id = $1 AND (two_factor_key IS NOT NULL OR sso_linked)';
    return (await this.database.run(prepared(text, [userId]))).length > 0;
  }
}

function shapeWith(summary: readonly string[], members = FEW_MEMBERS): RowShape<Org> {
  const computed = [DISABLED_AT, { property: 'members', kind: 'json', sql: members } as const];
  return new RowShape<Org>(Org, [...computed, orgSummary.property(summary)]);
}
